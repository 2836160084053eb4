import { type Dialect, parseDialect } from '../../contract/answers/dialect.ts'

/**
 * Where a secret comes from, as the profile file stores it. `value` is the secret itself. The others are references, read each
 * time the secret is used: an environment variable, a file, the output of a shell command.
 */
export type SecretSource =
  | { readonly value: string }
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string }

/** The two environments of the service, each with its own base URL and keys. Source: "Versioning". */
export const ENVIRONMENTS = ['development', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENTS)[number]

/** What commands may do with a profile: only read, write after a confirmation, anything. Without a mode, production asks at a terminal. */
export const MODES = ['read-only', 'confirm', 'full'] as const
export type Mode = (typeof MODES)[number]

/** The settings for one service environment. Null means not given; a hand-edited file may lack anything. */
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
  /** In what its service differs from the contract, by `drift accept`. */
  readonly shape: Dialect | null
  /** The groups that it belongs to, as `--profiles tag:NAME` chooses them. */
  readonly tags: readonly string[] | null
}

/** A change of a profile: an absent member stays as it is, null removes it. */
export type ProfileChange = Partial<Omit<Profile, 'tags'>> & { readonly retag?: Retag }

/** What becomes of the tags that a profile has: all of them go or none, then some go, then some come. */
export interface Retag {
  readonly isCleared: boolean
  readonly off: readonly string[]
  readonly on: readonly string[]
}

/** No comma, which stands between choices, and no leading hyphen, which would look like a flag. */
const TAG = /^(?!-)[A-Za-z0-9._-]{1,64}$/

/** Whether a text can be a tag. */
export function isTag(text: string): boolean {
  return TAG.test(text)
}

/** The profile of the service inside this process. It needs no configuration, and its name is reserved. */
export const SANDBOX_PROFILE = 'sandbox'

/** All profiles by name, and the current one (null: none chosen). A Map, because `constructor` is a valid name. */
export interface Profiles {
  readonly current: string | null
  readonly byName: ReadonlyMap<string, Profile>
}

/** A value, and where it came from: `--base-url`, `PARTNER_BASE_URL`, `profile dev`. */
export interface Sourced<T> {
  readonly value: T
  readonly from: string
}

const TEXT_MEMBERS = ['baseUrl', 'timezone', 'partnerName', 'signatureHeader', 'locationId'] as const
const SECRET_MEMBERS = ['apiKey', 'signingSecret'] as const
const SECRET_KINDS = ['value', 'env', 'file', 'command'] as const

/** Reads one profile from the file's JSON. Adds what is wrong with it to `problems`, without echoing any value. Null: it is no object. */
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
    shape: readShape(name, readOwn(json, 'shape'), problems),
    tags: readTags(name, readOwn(json, 'tags'), problems),
  }
}

function readTags(name: string, json: unknown, problems: string[]): readonly string[] | null {
  if (json === undefined || json === null) return null
  if (Array.isArray(json) && json.every((tag) => typeof tag === 'string' && isTag(tag))) return json
  problems.push(`profile ${name}: "tags" must be a list of words, such as ["north"]`)
  return null
}

function readShape(name: string, json: unknown, problems: string[]): Dialect | null {
  if (json === undefined || json === null) return null
  const shape = parseDialect(json)
  if (shape === null) problems.push(`profile ${name}: "shape" must be as drift accept keeps it`)
  return shape
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

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an object's own member; undefined when it has none. Inherited ones (`constructor`) do not come from the file. */
export function readOwn(object: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(object, member) ? object[member] : undefined
}
