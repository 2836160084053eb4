import { type Dialect, parseDialect } from '../../contract/answers/dialect.ts'

/**
 * A secret in the profile file. It is either the `value` itself, or a reference that is read each time the secret is
 * needed.
 */
export type SecretSource =
  | { readonly value: string }
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string }

/** The environments of the service. Each has a separate base URL and separate keys. Source: "Versioning". */
export const ENVIRONMENTS = ['development', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENTS)[number]

/**
 * What a profile allows. `confirm` means that the user must confirm each write. Without a mode, writes must be
 * confirmed only in production, and only at a terminal.
 */
export const MODES = ['read-only', 'confirm', 'full'] as const
export type Mode = (typeof MODES)[number]

/** The settings of one profile. `null` means that a setting is not set. A manually edited file may lack any of them. */
export interface Profile {
  readonly environment: EnvironmentName | null
  /** The absolute base URL. `checkBaseUrl` checks it each time it is used. */
  readonly baseUrl: string | null
  /** The IANA name of the venue's time zone, such as `Australia/Sydney`. `null` means UTC. */
  readonly timezone: string | null
  readonly partnerName: string | null
  /** The name of the signature header, which is agreed at onboarding. Source: "HMAC signature". */
  readonly signatureHeader: string | null
  readonly locationId: string | null
  /** The PostgreSQL URL of the ledger, a record of money writes that several machines share. */
  readonly ledger: string | null
  readonly apiKey: SecretSource | null
  readonly signingSecret: SecretSource | null
  readonly mode: Mode | null
  readonly shape: Dialect | null
  /** The profile's tags, which `--profiles tag:NAME` uses to select profiles. */
  readonly tags: readonly string[] | null
}

/** A change to a profile. Missing members stay unchanged, and `null` removes a value. */
export type ProfileChange = Partial<Omit<Profile, 'tags'>> & { readonly retag?: Retag }

/**
 * A change to the tags. If `isCleared` is true, all tags are removed first. Then the tags in `off` are removed, and
 * those in `on` are added.
 */
export type Retag = { readonly isCleared: boolean; readonly off: readonly string[]; readonly on: readonly string[] }

/**
 * Matches valid tags. A comma would separate the parts of `--profiles`, and a leading hyphen would look like a flag.
 */
const TAG = /^(?!-)[A-Za-z0-9._-]{1,64}$/

export function isTag(text: string): boolean {
  return TAG.test(text)
}

/**
 * The built-in profile of the sandbox that runs in this process. It needs no configuration, and its name is reserved.
 */
export const SANDBOX_PROFILE = 'sandbox'

/**
 * All profiles, and the name of the current profile or `null`. `byName` is a Map because names such as `constructor`
 * are valid.
 */
export type Profiles = { readonly current: string | null; readonly byName: ReadonlyMap<string, Profile> }

/** A value and its source, such as `--base-url`, `PARTNER_BASE_URL` or `profile dev`. */
export type Sourced<T> = { readonly value: T; readonly from: string }

/** A profile without settings. The order of the members is the order in which profiles are printed. */
export const NO_SETTINGS: Profile = {
  environment: null,
  baseUrl: null,
  timezone: null,
  partnerName: null,
  signatureHeader: null,
  locationId: null,
  ledger: null,
  apiKey: null,
  signingSecret: null,
  mode: null,
  shape: null,
  tags: null,
}

/** Reads a member from JSON, or returns `null` if the value is invalid. `rule` completes the message "must be …". */
type Member<T> = { readonly read: (json: unknown) => T | null; readonly rule: string }

const TEXT: Member<string> = { read: (json) => (typeof json === 'string' ? json : null), rule: 'a string' }

const SECRET_KINDS = ['value', 'env', 'file', 'command'] as const
const SECRET: Member<SecretSource> = {
  read: (json) => {
    const kinds = isObject(json) ? SECRET_KINDS.filter((kind) => readOwn(json, kind) !== undefined) : []
    const [kind, ...others] = kinds
    const value = isObject(json) && kind !== undefined ? readOwn(json, kind) : null
    if (kind === undefined || others.length > 0 || typeof value !== 'string' || value === '') return null
    return { [kind]: value } as unknown as SecretSource
  },
  rule: `an object with one of ${SECRET_KINDS.join(', ')} as a string`,
}

function oneOf<T extends string>(allowed: readonly T[]): Member<T> {
  return { read: (json) => allowed.find((one) => one === json) ?? null, rule: `one of ${allowed.join(', ')}` }
}

const MEMBERS: { readonly [M in keyof Profile]: Member<NonNullable<Profile[M]>> } = {
  baseUrl: TEXT,
  timezone: TEXT,
  partnerName: TEXT,
  signatureHeader: TEXT,
  locationId: TEXT,
  ledger: TEXT,
  apiKey: SECRET,
  signingSecret: SECRET,
  environment: oneOf(ENVIRONMENTS),
  mode: oneOf(MODES),
  shape: { read: parseDialect, rule: 'as stored by drift accept' },
  tags: {
    read: (json) => (Array.isArray(json) && json.every((tag) => typeof tag === 'string' && isTag(tag)) ? json : null),
    rule: 'a list of words, such as ["north"]',
  },
}

/**
 * Reads a profile from JSON. Returns `null` if it is not an object. Adds any problems to `problems`, without repeating
 * values.
 */
export function parseProfile(name: string, json: unknown, problems: string[]): Profile | null {
  if (!isObject(json)) {
    problems.push(`profile ${name} must be an object`)
    return null
  }
  const profile: Record<string, unknown> = { ...NO_SETTINGS }
  for (const [member, { read, rule }] of Object.entries<Member<unknown>>(MEMBERS)) {
    const given = readOwn(json, member) ?? null
    if (given === null) continue
    profile[member] = read(given)
    if (profile[member] === null) problems.push(`profile ${name}: "${member}" must be ${rule}`)
  }
  return profile as unknown as Profile
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own property of an object. Inherited properties such as `constructor` are not part of the file. */
export function readOwn(object: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(object, member) ? object[member] : undefined
}
