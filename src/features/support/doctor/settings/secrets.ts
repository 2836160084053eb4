import { Failure } from '../../../../base/failure/failure.ts'
import { maskSecret } from '../../../../base/redaction/redaction.ts'
import { describeSecret } from '../../../../client/profiles/describe.ts'
import { readSecret } from '../../../../client/profiles/secret-reading.ts'
import { requireSetting } from '../../../../client/profiles/settings.ts'
import { askedFor, command, type Section, setProfile } from '../examination.ts'
import { fail, failureLine, ok, skip } from '../finding.ts'

const NAME = 'secrets'

/** Checks that the API key can be read. The signing secret has its own section. */
export const secretsSection: Section = {
  rows: [NAME],
  needs: ['profile'],
  async *examine(given, known) {
    const { settings } = known
    if (settings === null) return
    const { env, signal, hide } = given.around
    if (settings.kind === 'sandbox' && settings.apiKey === null)
      return yield skip(NAME, 'the sandbox brings its own key')
    try {
      const { value: source, from } = requireSetting(settings, 'apiKey')
      const secret = await readSecret(source, env, 'API key', { signal })
      hide(secret)
      const isItself = 'value' in source || ('env' in source && source.env === from)
      const where = isItself ? '' : `, ${describeSecret(source, env)}`
      yield ok(NAME, `API key ${maskSecret(secret)} (${from}${where})`)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { apiKey } = settings
      const variable = apiKey !== null && 'env' in apiKey.value ? apiKey.value.env : null
      const next =
        variable !== null
          ? askedFor(variable, given)
          : apiKey === null
            ? (setProfile('--api-key env:VAR', known) ?? error.hint ?? null)
            : command('config', given)
      yield fail(NAME, failureLine(error), next)
    }
  },
}
