import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { isKnownZone } from '../../base/time/zone.ts'
import { findUrlProblem, URL_PROBLEMS } from '../../postgres/url.ts'
import { checkBaseUrl } from './base-url.ts'
import { ENVIRONMENTS, isTag, MODES, type ProfileChange } from './profile.ts'
import { parseSecretReference } from './secrets.ts'

export type TypedMembersOptions = { readonly missing?: readonly string[]; readonly complete?: string }

export const NO_BASE_URL = '--base-url is required: use the one issued at onboarding'

type TextMember = 'timezone' | 'partnerName' | 'signatureHeader' | 'locationId' | 'ledger'

const CHECKS: Readonly<Record<TextMember, (text: string) => string | null>> = {
  timezone: checkTimezone,
  partnerName: (text) =>
    /^(?!\.+$)[A-Za-z0-9._:~-]{1,128}$/.test(text) ? null : 'must be at most 128 letters, digits or . _ : ~ -',
  signatureHeader: (text) =>
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(text)
      ? null
      : 'must be a valid HTTP header name, such as X-Partner-Signature',
  locationId: (text) =>
    /^[^\s\x00-\x1f\x7f]{1,256}$/.test(text) ? null : 'must be at most 256 characters without spaces',
  ledger: (url) => {
    const problem = findUrlProblem(url)
    return problem && URL_PROBLEMS[problem]
  },
}

/**
 * Checks a value that comes from `source`, such as `--timezone` or `PARTNER_TIMEZONE`. Returns the problem, or `null`.
 */
export function checkMember(member: TextMember, text: string, source: string): string | null {
  const problem = CHECKS[member](text)
  return problem === null ? null : `${source} ${problem}`
}

/** Parses a flag's value. With `profiles set`, an empty value removes the setting. Throws USAGE if it is invalid. */
type Reader<T> = (text: string, flag: string) => T | null

const oneOf =
  <T extends string>(allowed: readonly T[], rule: string): Reader<T> =>
  (text, flag) => {
    const found = allowed.find((one) => one === text) ?? null
    if (found === null && text !== '') throw new Failure('USAGE', `${flag} must be ${rule}`)
    return found
  }

const checked =
  (member: TextMember): Reader<string> =>
  (text, flag) => {
    const problem = text === '' ? null : checkMember(member, text, flag)
    if (problem !== null) throw new Failure('USAGE', problem)
    return text || null
  }

const READERS = {
  environment: oneOf(ENVIRONMENTS, ENVIRONMENTS.join(' or ')),
  mode: oneOf(MODES, MODES.join(', ')),
  baseUrl: (text, flag) => checkBaseUrl(text, flag).href.replace(/\/$/, ''),
  timezone: checked('timezone'),
  partnerName: checked('partnerName'),
  signatureHeader: checked('signatureHeader'),
  locationId: checked('locationId'),
  ledger: checked('ledger'),
  // A flag accepts only a reference to a secret, because command lines are visible to other users. Secrets from
  // standard input or a prompt do not pass through here.
  apiKey: (text, flag) => parseSecretReference(text, flag),
  signingSecret: (text, flag) => parseSecretReference(text, flag),
} as const satisfies { readonly [member in keyof ProfileChange]: Reader<ProfileChange[member]> }

/** The settings of a profile as the user typed them. With `profiles set`, an empty value removes a setting. */
export type TypedMembers = { readonly [member in keyof typeof READERS]?: string | undefined } & {
  /** Tags to add. An empty tag removes all existing tags. */
  readonly tag?: readonly string[] | undefined
  readonly untag?: readonly string[] | undefined
}

/** Parses a change to a profile. Throws USAGE. The message lists every problem but quotes no possible secrets. */
export function parseProfileChange(typed: TypedMembers, options: TypedMembersOptions = {}): ProfileChange {
  const { missing = [], complete } = options
  const problems = [...missing]
  const hints = new Set<string>()
  const change: Record<string, unknown> = {}
  for (const [member, read] of Object.entries(READERS)) {
    const text = typed[member as keyof typeof READERS]
    const flag = `--${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    try {
      if (text !== undefined) change[member] = read(text, flag)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      problems.push(error.message)
      if (error.hint !== undefined) hints.add(error.hint)
    }
  }
  const { tag = [], untag = [] } = typed
  const on = tag.filter((name) => name !== '')
  problems.push(...tagProblems(on, untag))
  if (tag.length > 0 || untag.length > 0) change['retag'] = { isCleared: on.length < tag.length, off: untag, on }
  const [hint, ...otherHints] = hints
  const oneHint = otherHints.length === 0 ? hint : undefined
  if (problems.length > 0) throw usageFailure(problems, problems.length === missing.length ? complete : oneHint)
  return change
}

function tagProblems(on: readonly string[], off: readonly string[]): string[] {
  const malformed = (flag: string, names: readonly string[]) =>
    names.every(isTag) ? [] : [`${flag} must be 1 to 64 letters, digits, dots, hyphens or underscores, such as north`]
  const both = on.filter((name) => off.includes(name))
  return [
    ...malformed('--tag', on),
    ...malformed('--untag', off),
    ...both.map((name) => `--tag ${name} and --untag ${name} cannot be used together`),
  ]
}

function checkTimezone(text: string): string | null {
  // An offset such as +10:00 is not accepted as a time zone, because it may be wrong for half of the year.
  if (/^[A-Za-z]/.test(text) && isKnownZone(text)) return null
  const suggestion = findNearest(text, Intl.supportedValuesOf('timeZone'))
  const zones = 'must be the IANA name of a time zone, such as Australia/Sydney or Europe/London'
  return suggestion === null ? zones : `${zones}; did you mean ${suggestion}?`
}
