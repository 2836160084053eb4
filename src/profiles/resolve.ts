import { Failure } from '../failure/failure.ts'
import type { Variables } from '../storage/directories.ts'
import { checkBaseUrl, maskBaseUrl } from './base-url.ts'
import { checkMember } from './members.ts'
import { unknownProfileFailure } from './names.ts'
import { type Profile, SANDBOX_PROFILE, type SecretSource, type Sourced } from './profile.ts'
import type { ReadProfiles } from './read.ts'
import { type Need, requireSetting, type Settings } from './settings.ts'

/** What decides which service a command talks to, and as whom. */
export interface ResolveInput {
  readonly flags: { readonly profile?: string | undefined; readonly baseUrl?: string | undefined }
  readonly env: Variables
  /** Reads the profile file; called at most once, and not at all when flags and variables say everything. */
  readonly profiles: () => ReadProfiles
  /** What the command cannot do without; when flags and variables give all of it, the current profile is not asked. */
  readonly needs?: readonly Need[]
  /** The profile for when neither a flag nor a variable names one, in place of the current one. */
  readonly usual?: Sourced<string> | undefined
}

/** A service at an address, with a key that belongs to it. */
export interface ServiceTarget extends Settings {
  readonly kind: 'service'
  readonly baseUrl: Sourced<URL>
  readonly apiKey: Sourced<SecretSource>
}

/** The service inside this process. */
export interface SandboxTarget extends Settings {
  readonly kind: 'sandbox'
}

/** What variables say in place of a profile. */
const VARIABLES = [
  'PARTNER_BASE_URL',
  'PARTNER_API_KEY',
  'PARTNER_API_KEY_FILE',
  'PARTNER_SIGNING_SECRET',
  'PARTNER_SIGNING_SECRET_FILE',
  'PARTNER_NAME',
  'PARTNER_SIGNATURE_HEADER',
  'PARTNER_LOCATION_ID',
  'PARTNER_TIMEZONE',
] as const

/**
 * Which service to call, and with what. A profile that a flag names is used as it is, and of the variables none is looked at.
 * Else a variable wins over the profile, be it named by PARTNER_PROFILE or the current one; a variable that is set but empty
 * counts as not set. Nothing is read but the profile file, and that only when something is missing: with PARTNER_BASE_URL and
 * PARTNER_API_KEY there need be none.
 * Fails: NO_PROFILE (exit 4) when nothing is configured, a profile is unknown, or the address or key is missing; USAGE
 * (exit 2) for a refused base URL, and for a base URL of another origin than that of the profile whose key would go there.
 */
export function resolveTarget(input: ResolveInput): ServiceTarget | SandboxTarget {
  const settings = resolveSettings({ needs: ['baseUrl', 'apiKey'], ...input })
  if (settings.kind === 'sandbox') return { ...settings, kind: 'sandbox' }
  const baseUrl = requireSetting(settings, 'baseUrl')
  return { ...settings, kind: 'service', baseUrl, apiKey: requireSetting(settings, 'apiKey') }
}

/**
 * The same without asking for anything: for `doctor`, for `sign` and the inbound commands, which need no key. Take from it
 * with {@link requireSetting}. Fails: as {@link resolveTarget}, except that nothing counts as missing.
 */
export function resolveSettings(input: ResolveInput): Settings {
  const { flags, env } = input
  if (flags.profile === '') throw new Failure('USAGE', '--profile needs the name of a profile')
  const named = flags.profile ?? variable(env, 'PARTNER_PROFILE')
  // A key that stands beside an address belongs to that address: whoever has a real service in the environment and says
  // `sandbox` wants the sandbox.
  const isAlone =
    flags.profile !== undefined || (named === SANDBOX_PROFILE && variable(env, 'PARTNER_BASE_URL') !== undefined)
  const ignored = isAlone ? VARIABLES.filter((name) => variable(env, name) !== undefined) : []
  return { ...settingsOf(input, named, isAlone ? {} : env), ignored }
}

function settingsOf(input: ResolveInput, named: string | undefined, env: Variables): Settings {
  const { flags } = input
  const chosenBy = flags.profile === undefined ? 'PARTNER_PROFILE' : '--profile'
  if (named === SANDBOX_PROFILE) return sandboxSettings(flags, env, { value: named, from: chosenBy }, {})
  const given = givenSettings(flags.baseUrl, env)
  const needs = input.needs ?? []
  if (named === undefined && needs.length > 0 && needs.every((need) => given[need] !== null)) {
    return { ...given, ...NO_ONE }
  }
  const file = input.profiles()
  const read = { warnings: file.warnings, profileNames: [...file.byName.keys()] }
  const current = file.current === null ? null : { value: file.current, from: 'profiles use' }
  const chosen = named === undefined ? (input.usual ?? current) : { value: named, from: chosenBy }
  if (chosen === null) return { ...given, ...NO_ONE, ...read }
  if (chosen.value === SANDBOX_PROFILE) {
    // An address that was given outranks a profile that nobody named, and the sandbox has none to be overridden.
    if (given.baseUrl !== null) return { ...given, ...NO_ONE, ...read }
    return sandboxSettings(flags, env, chosen, read)
  }
  const profile = file.byName.get(chosen.value)
  if (profile === undefined) {
    throw unknownProfileFailure(
      chosen.value,
      file.byName.keys(),
      chosen === current ? 'partner profiles use' : chosen.from,
    )
  }
  return withProfile(given, chosen, profile, read)
}

type Read = Partial<Pick<Settings, 'warnings' | 'profileNames'>>
type Given = Pick<Settings, Need | 'timezone'>

const NO_ONE = {
  kind: 'service',
  profile: null,
  environment: null,
  mode: null,
  foreignKeyOrigin: null,
  profileNames: [],
  ignored: [],
  warnings: [],
} as const

function givenSettings(baseUrlFlag: string | undefined, env: Variables): Given {
  const baseUrl = baseUrlFlag ?? variable(env, 'PARTNER_BASE_URL')
  const from = baseUrlFlag === undefined ? 'PARTNER_BASE_URL' : '--base-url'
  return {
    baseUrl: baseUrl === undefined ? null : { value: checkBaseUrl(baseUrl, from), from },
    apiKey: secretVariable(env, 'PARTNER_API_KEY'),
    signingSecret: secretVariable(env, 'PARTNER_SIGNING_SECRET'),
    partnerName: checked('partnerName', variable(env, 'PARTNER_NAME'), 'PARTNER_NAME'),
    signatureHeader: checked('signatureHeader', variable(env, 'PARTNER_SIGNATURE_HEADER'), 'PARTNER_SIGNATURE_HEADER'),
    locationId: checked('locationId', variable(env, 'PARTNER_LOCATION_ID'), 'PARTNER_LOCATION_ID'),
    timezone: sourced(variable(env, 'PARTNER_TIMEZONE'), 'PARTNER_TIMEZONE'),
  }
}

function withProfile(given: Given, chosen: Sourced<string>, profile: Profile, read: Read): Settings {
  const from = `profile ${chosen.value}`
  const foreign =
    given.baseUrl !== null &&
    given.apiKey === null &&
    profile.apiKey !== null &&
    !sameOrigin(given.baseUrl.value, profile)
  return {
    kind: 'service',
    profile: chosen,
    environment: profile.environment,
    mode: profile.mode,
    baseUrl: given.baseUrl ?? (profile.baseUrl === null ? null : { value: checkBaseUrl(profile.baseUrl, from), from }),
    // A key for another origin is not handed out at all, so that no caller can send it there.
    apiKey: given.apiKey ?? (foreign ? null : sourced(profile.apiKey, from)),
    signingSecret: given.signingSecret ?? sourced(profile.signingSecret, from),
    partnerName: given.partnerName ?? checked('partnerName', profile.partnerName, from),
    signatureHeader: given.signatureHeader ?? checked('signatureHeader', profile.signatureHeader, from),
    locationId: given.locationId ?? checked('locationId', profile.locationId, from),
    timezone: given.timezone ?? sourced(profile.timezone, from),
    foreignKeyOrigin: foreign ? shownOrigin(profile.baseUrl) : null,
    profileNames: [],
    ignored: [],
    warnings: [],
    ...read,
  }
}

function sandboxSettings(flags: ResolveInput['flags'], env: Variables, profile: Sourced<string>, read: Read): Settings {
  if (flags.baseUrl !== undefined) {
    throw new Failure('USAGE', '--base-url cannot be used with the profile sandbox, which runs inside this command', {
      hint: 'leave one of them out; for a sandbox that was started elsewhere give PARTNER_API_KEY and --base-url alone',
    })
  }
  return { ...givenSettings(undefined, env), ...NO_ONE, kind: 'sandbox', profile, ...read }
}

/** The value of a variable; one that is set to nothing, as build servers do with secrets they lack, counts as not set. */
function variable(env: Variables, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

function secretVariable(env: Variables, name: string): Sourced<SecretSource> | null {
  const file = variable(env, `${name}_FILE`)
  if (variable(env, name) !== undefined) {
    if (file !== undefined) {
      throw new Failure('USAGE', `both ${name} and ${name}_FILE are set, and only one can be meant`, {
        hint: `unset one of them`,
      })
    }
    return { value: { env: name }, from: name }
  }
  return file === undefined ? null : { value: { file }, from: `${name}_FILE` }
}

function checked(
  member: 'partnerName' | 'signatureHeader' | 'locationId',
  text: string | null | undefined,
  from: string,
): Sourced<string> | null {
  if (text === null || text === undefined || text === '') return null
  const problem = checkMember(member, text, from.startsWith('profile ') ? `"${member}" of ${from}` : from)
  if (problem !== null) throw new Failure('USAGE', problem)
  return { value: text, from }
}

function sourced<T>(value: T | null | undefined, from: string): Sourced<T> | null {
  return value === null || value === undefined || value === '' ? null : { value, from }
}

function sameOrigin(url: URL, profile: Profile): boolean {
  return profile.baseUrl !== null && URL.parse(profile.baseUrl)?.origin === url.origin
}

function shownOrigin(baseUrl: string | null): string {
  return (baseUrl === null ? null : URL.parse(maskBaseUrl(baseUrl))?.origin) ?? 'no known address'
}
