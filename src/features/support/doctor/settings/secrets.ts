import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { maskSecret } from '../../../../base/redaction/redaction.ts'
import type { Variables } from '../../../../base/storage/directories.ts'
import { findOthersWithAccess, restrictCommand } from '../../../../base/storage/windows-access.ts'
import { describeSecret } from '../../../../client/profiles/describe.ts'
import type { SecretSource } from '../../../../client/profiles/profile.ts'
import { profilesPath } from '../../../../client/profiles/read.ts'
import { describeLooseFile, expandHome, readSecret } from '../../../../client/profiles/secret-reading.ts'
import { requireSetting } from '../../../../client/profiles/settings.ts'
import { command, type DoctorState, type Examination, type Section, setProfile } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skip } from '../finding.ts'

const [SECRETS, MODES] = ['secrets', 'modes'] as const

/** Checks that the API key can be read. Another section checks the signing secret. */
export const secretsSection: Section = {
  rows: [SECRETS],
  needs: ['profile'],
  async *examine(given, known) {
    const { settings } = known
    if (settings === null) return
    const { env, signal, hide } = given.around
    if (settings.kind === 'sandbox' && settings.apiKey === null)
      return yield skip(SECRETS, 'the sandbox has its own key')
    try {
      const { value: source, from } = requireSetting(settings, 'apiKey')
      const secret = await readSecret(source, env, 'API key', { signal })
      hide(secret)
      const isItself = 'value' in source || ('env' in source && source.env === from)
      const where = isItself ? '' : `, ${describeSecret(source, env)}`
      yield ok(SECRETS, `API key ${maskSecret(secret)} (${from}${where})`)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { apiKey } = settings
      const missing = setProfile('--api-key env:VAR', known) ?? error.hint
      yield fail(SECRETS, failureLine(error), apiKey === null ? missing : askAgain(apiKey.value, given))
    }
  },
}

/**
 * Returns a command that asks for a missing variable and runs the doctor again. For a secret that does not come from a
 * variable, returns a command that shows the settings.
 */
export function askAgain(source: SecretSource, given: Examination): string {
  if (!('env' in source)) return command('config', given)
  return `read -rs ${source.env} && export ${source.env} && ${command('doctor', given)}`
}

/** Checks that other users cannot read the files that contain keys. */
export const modesSection: Section = {
  rows: [MODES],
  needs: ['configuration'],
  *examine({ around }, known) {
    const files = filesWithSecrets(around.env, known)
    if (files.length === 0) return yield skip(MODES, 'no file contains a secret')
    if (process.platform === 'win32') return yield windowsRow(files, profilesPath(around.env))
    const loose = files.filter(({ path, stats }) => describeLooseFile(path, stats) !== null)
    if (loose.length === 0) return yield ok(MODES, `only you can read ${files.map(({ path }) => path).join(', ')}`)
    const named = loose.map(({ path, stats }) => `${path} (mode ${modeText(stats)})`).join(', ')
    const next = `chmod 600 ${loose.map(({ path }) => quoteShellWord(path)).join(' ')}`
    yield fail(MODES, `other users can read ${named}`, next)
  },
}

/** Returns the row for Windows, where permissions are not part of a file's mode. */
function windowsRow(files: readonly { readonly path: string }[], profiles: string): Finding {
  const checked = files.map(({ path }) => ({ path, others: findOthersWithAccess(path) }))
  const loose = checked.flatMap(({ path, others }) => (others?.length ? [{ path, others }] : []))
  const [first] = loose
  if (first !== undefined) {
    const named = loose.map(({ path, others }) => `${path} (${others.join(', ')})`).join(', ')
    // Each change replaces the profile file, and the new file inherits the permissions of its directory.
    const isProfiles = first.path === profiles
    const next = restrictCommand(isProfiles ? dirname(first.path) : first.path, isProfiles)
    return fail(MODES, `others can read ${named}`, next)
  }
  const unknown = checked.filter(({ others }) => others === null)
  if (unknown.length > 0)
    return skip(MODES, `Windows did not report who can read ${unknown.map(({ path }) => path).join(', ')}`)
  return ok(MODES, `only you can read ${checked.map(({ path }) => path).join(', ')}`)
}

function filesWithSecrets(env: Variables, { settings }: DoctorState) {
  const secrets = [settings?.apiKey, settings?.signingSecret].flatMap((secret) =>
    secret && 'file' in secret.value ? [expandHome(secret.value.file, env)] : [],
  )
  return [...new Set([profilesPath(env), ...secrets])].flatMap((path) => {
    try {
      const stats = statSync(path)
      return stats.isFile() ? [{ path, stats }] : []
    } catch {
      // Ignore the error, because the section that reads the file reports it.
      return []
    }
  })
}

function modeText({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}
