/**
 * Where a secret comes from, as the profile file stores it. `value` is the secret itself; the others are references that
 * are read each time the secret is used: an environment variable, a file, the output of a shell command.
 */
export type SecretSource =
  | { readonly value: string }
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string }

/** The two environments of the service, each with its own base URL and keys. Source: "Versioning". */
export const ENVIRONMENTS = ['development', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENTS)[number]

/** What a profile lets a command do: only read; write after a confirmation; anything. Without one, production asks at a terminal. */
export const MODES = ['read-only', 'confirm', 'full'] as const
export type Mode = (typeof MODES)[number]

/** One set of settings for one service environment. null is "not given"; a hand-edited file may lack anything. */
export interface Profile {
  readonly environment: EnvironmentName | null
  /** Absolute; checked when it is used, see `checkBaseUrl`. */
  readonly baseUrl: string | null
  /** IANA name of the venue's time zone (`Australia/Sydney`); null means UTC. */
  readonly timezone: string | null
  /** The `partnerName` slug in the paths of inbound endpoints. */
  readonly partnerName: string | null
  /** The name of the header that carries the signature. Source: "HMAC signature", agreed at onboarding. */
  readonly signatureHeader: string | null
  readonly locationId: string | null
  readonly apiKey: SecretSource | null
  readonly signingSecret: SecretSource | null
  readonly mode: Mode | null
}

/** What `profiles set` changes: members that are absent stay as they are, null takes one away. */
export type ProfileChange = Partial<Profile>

/** The profile that needs no configuration: the service inside this process. Its name cannot be given to another one. */
export const SANDBOX_PROFILE = 'sandbox'

/** All profiles, by name, and the current one (null: none chosen). A Map, as names such as `constructor` are allowed. */
export interface Profiles {
  readonly current: string | null
  readonly byName: ReadonlyMap<string, Profile>
}

/** A value, and where it came from in words: `--base-url`, `PARTNER_BASE_URL`, `profile dev`. */
export interface Sourced<T> {
  readonly value: T
  readonly from: string
}

const TEXT_MEMBERS = ['baseUrl', 'timezone', 'partnerName', 'signatureHeader', 'locationId'] as const
const SECRET_MEMBERS = ['apiKey', 'signingSecret'] as const
const SECRET_KINDS = ['value', 'env', 'file', 'command'] as const

/** Reads one profile from the file's JSON; each thing wrong with it goes to `problems`, and a value is never echoed. */
export function parseProfile(name: string, json: unknown, problems: string[]): Profile | null {
  if (!isObject(json)) {
    problems.push(`profile ${name}: must be an object`)
    return null
  }
  const text = (member: string): string | null => {
    const value = readOwn(json, member)
    if (value === undefined || value === null || typeof value === 'string') return value ?? null
    problems.push(`profile ${name}: "${member}" must be a text`)
    return null
  }
  const oneOf = <T extends string>(member: string, allowed: readonly T[]): T | null => {
    const value = readOwn(json, member)
    if (value === undefined || value === null) return null
    const found = allowed.find((candidate) => candidate === value)
    if (found === undefined) problems.push(`profile ${name}: "${member}" must be one of ${allowed.join(', ')}`)
    return found ?? null
  }
  const [baseUrl, timezone, partnerName, signatureHeader, locationId] = TEXT_MEMBERS.map(text)
  const [apiKey, signingSecret] = SECRET_MEMBERS.map((member) =>
    parseSecret(name, member, readOwn(json, member), problems),
  )
  return {
    environment: oneOf('environment', ENVIRONMENTS),
    baseUrl: baseUrl ?? null,
    timezone: timezone ?? null,
    partnerName: partnerName ?? null,
    signatureHeader: signatureHeader ?? null,
    locationId: locationId ?? null,
    apiKey: apiKey ?? null,
    signingSecret: signingSecret ?? null,
    mode: oneOf('mode', MODES),
  }
}

function parseSecret(name: string, member: string, json: unknown, problems: string[]): SecretSource | null {
  if (json === undefined || json === null) return null
  const kinds = isObject(json) ? SECRET_KINDS.filter((kind) => readOwn(json, kind) !== undefined) : []
  const [kind] = kinds
  const value = isObject(json) && kind !== undefined ? readOwn(json, kind) : undefined
  if (kind === undefined || kinds.length > 1 || typeof value !== 'string' || value === '') {
    problems.push(`profile ${name}: "${member}" must be an object with one of ${SECRET_KINDS.join(', ')} as a text`)
    return null
  }
  if (kind === 'env') return { env: value }
  if (kind === 'file') return { file: value }
  return kind === 'command' ? { command: value } : { value }
}

/** True for an object of JSON: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object's own member; what it inherits (`constructor`) is no member of a file. */
export function readOwn(object: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(object, member) ? object[member] : undefined
}
