import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { checkBaseUrl } from './base-url.ts'
import { ENVIRONMENTS, isTag, MODES, type ProfileChange } from './profile.ts'
import { parseSecretReference } from './secrets.ts'

/** The members of a profile as typed, one for each flag. An empty text removes the member (`profiles set`). */
export interface TypedMembers {
  readonly environment?: string | undefined
  readonly mode?: string | undefined
  readonly baseUrl?: string | undefined
  readonly timezone?: string | undefined
  readonly partnerName?: string | undefined
  readonly signatureHeader?: string | undefined
  readonly locationId?: string | undefined
  /** A reference: `env:VAR`, `file:PATH`, `command:CMD`. A secret from stdin or a prompt goes straight into the change. */
  readonly apiKey?: string | undefined
  readonly signingSecret?: string | undefined
  /** Tags to put on; an empty one takes off all that there are. */
  readonly tag?: readonly string[] | undefined
  /** Tags to take off. */
  readonly untag?: readonly string[] | undefined
}

export interface TypedMembersOptions {
  /** What is missing on the command line, reported with the problems of what was typed. */
  readonly missing?: readonly string[]
  /** The next step when nothing is wrong except what is missing. */
  readonly complete?: string
  /** The directory for a relative `file:`; the process's own when absent. */
  readonly cwd?: string
}

/** The problem with a new profile that has no base URL. */
export const NO_BASE_URL = '--base-url is required: it was issued at onboarding'

type TextMember = 'timezone' | 'partnerName' | 'signatureHeader' | 'locationId'

const CHECKS: Readonly<Record<TextMember, (text: string) => string | null>> = {
  timezone: checkTimezone,
  partnerName: (text) =>
    /^(?!\.+$)[A-Za-z0-9._:~-]{1,128}$/.test(text) ? null : 'must be letters, digits and . _ : ~ - only, at most 128',
  signatureHeader: (text) =>
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(text)
      ? null
      : 'must be the name of an HTTP header, such as X-Partner-Signature',
  locationId: (text) =>
    /^[^\s\x00-\x1f\x7f]{1,256}$/.test(text) ? null : 'must be at most 256 characters without spaces',
}

/**
 * Checks one text member of a profile. `source` names where it came from: `--timezone`, `PARTNER_TIMEZONE`.
 * Returns the problem, for {@link usageFailure}, or null.
 */
export function checkMember(member: TextMember, text: string, source: string): string | null {
  const problem = CHECKS[member](text)
  return problem === null ? null : `${source} ${problem}`
}

/**
 * Reads typed members as a change of a profile. Fails: USAGE with every problem at once, each with its flag, and without
 * echoing a text in place of a secret's reference.
 */
export function parseProfileChange(typed: TypedMembers, options: TypedMembersOptions = {}): ProfileChange {
  const cwd = options.cwd ?? process.cwd()
  const { missing = [] } = options
  const problems = [...missing]
  const hints = new Set<string>()
  const change: { -readonly [Member in keyof ProfileChange]?: ProfileChange[Member] } = {}
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      problems.push(error.message)
      if (error.hint !== undefined) hints.add(error.hint)
    }
  }
  const { environment, mode, baseUrl, apiKey, signingSecret } = typed
  if (environment !== undefined) {
    const found = ENVIRONMENTS.find((name) => name === environment)
    if (found === undefined && environment !== '') problems.push(`--environment must be ${ENVIRONMENTS.join(' or ')}`)
    change.environment = found ?? null
  }
  if (mode !== undefined) {
    const found = MODES.find((name) => name === mode)
    if (found === undefined && mode !== '') problems.push(`--mode must be ${MODES.join(', ')}`)
    change.mode = found ?? null
  }
  if (baseUrl !== undefined) {
    attempt(() => {
      const url = checkBaseUrl(baseUrl, '--base-url')
      change.baseUrl = url.href.replace(/\/$/, '')
    })
  }
  const texts = {
    timezone: '--timezone',
    partnerName: '--partner-name',
    signatureHeader: '--signature-header',
    locationId: '--location-id',
  }
  for (const [member, flag] of Object.entries(texts) as [TextMember, string][]) {
    const text = typed[member]
    if (text === undefined) continue
    const problem = text === '' ? null : checkMember(member, text, flag)
    if (problem !== null) problems.push(problem)
    change[member] = text === '' ? null : text
  }
  if (apiKey !== undefined)
    attempt(() => {
      change.apiKey = parseSecretReference(apiKey, '--api-key', cwd)
    })
  if (signingSecret !== undefined) {
    attempt(() => {
      change.signingSecret = parseSecretReference(signingSecret, '--signing-secret', cwd)
    })
  }
  const { tag = [], untag = [] } = typed
  const on = tag.filter((name) => name !== '')
  problems.push(...tagProblems(on, untag))
  if (tag.length > 0 || untag.length > 0) change.retag = { isCleared: on.length < tag.length, off: untag, on }
  const onlyHint = hints.size === 1 ? [...hints][0] : undefined
  if (problems.length > 0)
    throw usageFailure(problems, problems.length === missing.length ? options.complete : onlyHint)
  return change
}

function tagProblems(on: readonly string[], off: readonly string[]): string[] {
  const malformed = (flag: string, names: readonly string[]) =>
    names.every(isTag) ? [] : [`${flag} must be 1 to 64 letters, digits, dots, hyphens or underscores, such as north`]
  const both = on.filter((name) => off.includes(name))
  return [
    ...malformed('--tag', on),
    ...malformed('--untag', off),
    ...both.map((name) => `--tag ${name} and --untag ${name} cannot be given together`),
  ]
}

function checkTimezone(text: string): string | null {
  // An offset such as +10:00 is no zone: it may be wrong for half of the year.
  if (/^[A-Za-z]/.test(text) && isZone(text)) return null
  const suggestion = findNearest(text, Intl.supportedValuesOf('timeZone'))
  const zones = 'must be the IANA name of a time zone, such as Australia/Sydney or Europe/London'
  return suggestion === null ? zones : `${zones}; did you mean ${suggestion}?`
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
