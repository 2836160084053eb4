import { Failure } from '../../../../base/failure/failure.ts'
import { call } from '../../../../client/calls/call.ts'
import { readSecret } from '../../../../client/profiles/secret-reading.ts'
import type { Settings } from '../../../../client/profiles/settings.ts'
import type { Session } from '../../../../client/session.ts'
import { inboundBalance } from '../../../../contract/inbound.ts'
import { command, type Examination, isInside, openSilently, type Section, setProfile } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skip, warn } from '../finding.ts'
import { askAgain } from '../settings/secrets.ts'

const NAME = 'signing'
const NEEDS = ['baseUrl', 'signingSecret', 'partnerName', 'signatureHeader'] as const
/** A well-formed card number that does not belong to any card. */
const NO_CARD = 'DOCTR-00000000-0000'

/** The settings for signed requests, each with its environment variable and its flag for `profiles set`. */
const PARTS = [
  { need: 'partnerName', name: 'partner name', flag: '--partner-name NAME', variable: 'PARTNER_NAME' },
  { need: 'signatureHeader', name: 'header', flag: '--signature-header NAME', variable: 'PARTNER_SIGNATURE_HEADER' },
  { need: 'signingSecret', name: 'secret', flag: '--signing-secret env:VAR', variable: 'PARTNER_SIGNING_SECRET' },
] as const

/** Checks the settings for signed requests, and whether the service accepts a signature. */
export const signingSection: Section = {
  rows: [NAME],
  needs: ['profile', 'proxy', 'dns', 'tcp', 'tls', 'service'],
  needsInside: ['disk'],
  async *examine(given, known) {
    const { settings } = known
    if (settings === null) return
    if (!isInside(known)) {
      const missing = PARTS.filter(({ need }) => settings[need] === null)
      if (missing.length === PARTS.length) return yield skip(NAME, 'not set up; only partner inbound needs it')
      if (missing.length > 0) {
        const flags = missing.map(({ flag }) => flag).join(' ')
        const names = missing.map(({ name, variable }) => `the ${name} (${variable})`).join(' and ')
        const verb = missing.length === 1 ? 'is' : 'are'
        return yield fail(
          NAME,
          `only partly set up: ${names} ${verb} missing`,
          setProfile(flags, known) ?? command('config', given),
        )
      }
    }
    const unread = await unreadableSecret(settings, given)
    if (unread !== null) return yield unread
    const session = await openSilently(given, NEEDS)
    try {
      yield await checkSignature(session, given)
    } finally {
      await session.close()
    }
  },
}

async function unreadableSecret({ signingSecret }: Settings, given: Examination): Promise<Finding | null> {
  const { env, signal, hide } = given.around
  if (signingSecret === null) return null
  try {
    hide(await readSecret(signingSecret.value, env, 'signing secret', { signal }))
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fail(NAME, failureLine(error), askAgain(signingSecret.value, given))
  }
}

/** Requests the balance of a card that cannot exist. If the response is about the card, the signature was accepted. */
async function checkSignature(session: Session, given: Examination): Promise<Finding> {
  const { partnerName, locationId, header } = session.signing ?? { partnerName: null, locationId: null, header: '' }
  const location = locationId === null ? {} : { locationId }
  const signed = `signed as ${partnerName} in ${header}`
  const look = command(`inbound balance ${NO_CARD} --dry-run`, given)
  try {
    await call(session.caller, inboundBalance, {
      path: { partnerName: partnerName ?? '' },
      body: { cardNumber: NO_CARD, ...location },
    })
    return ok(NAME, `the service accepts the signature (${signed})`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const words = failureLine(error)
    const status = error.request?.status ?? null
    if (/signature/i.test(words) || status === 401 || status === 403)
      return fail(
        NAME,
        `the service rejects the signature (${signed}): ${words} The secret, the partner name or the header is wrong, or a proxy changes the URL`,
        look,
      )
    // The service checks the signature before the body, so an error about the body means that the signature was
    // accepted.
    if (/card|location/i.test(words)) return ok(NAME, `the service accepts the signature (${signed}): ${words}`)
    if (status !== null && status < 500)
      return warn(
        NAME,
        `${status}: ${words} The response does not show whether the signature is valid (${signed})`,
        look,
      )
    return fail(NAME, words, error.hint ?? look)
  }
}
