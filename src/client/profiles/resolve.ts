import { Failure } from '../../base/failure/failure.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { checkBaseUrl, maskBaseUrl } from './base-url.ts'
import { checkMember } from './members.ts'
import { unknownProfileFailure } from './names.ts'
import { type Profile, SANDBOX_PROFILE, type SecretSource, type Sourced } from './profile.ts'
import type { ReadProfiles } from './read.ts'
import { type Need, requireSetting, type Settings } from './settings.ts'

export interface ResolveInput {
  readonly flags: { readonly [name in 'profile' | 'baseUrl' | 'ledger']?: string | undefined }
  readonly env: Variables
  /** Reads the profile file. Called at most once. */
  readonly profiles: () => ReadProfiles
  /** The settings that the command needs. If flags and variables provide all of them, the profile file is not read. */
  readonly needs?: readonly Need[]
  readonly usual?: Sourced<string> | undefined
}

const TEXTS = {
  partnerName: 'PARTNER_NAME',
  signatureHeader: 'PARTNER_SIGNATURE_HEADER',
  locationId: 'PARTNER_LOCATION_ID',
  ledger: 'PARTNER_LEDGER',
  timezone: 'PARTNER_TIMEZONE',
} as const
type TextSetting = keyof typeof TEXTS

const VARIABLES = [
  'PARTNER_BASE_URL',
  'PARTNER_API_KEY',
  'PARTNER_API_KEY_FILE',
  'PARTNER_SIGNING_SECRET',
  'PARTNER_SIGNING_SECRET_FILE',
  ...Object.values(TEXTS),
] as const

/**
 * Determines the service to call. The sandbox supplies the settings that are `null`. If a flag names the profile,
 * environment variables are ignored; otherwise they take precedence over the profile. An empty variable counts as not
 * set. Throws NO_PROFILE (exit code 4) if the profile is unknown or a required setting is missing. Throws USAGE (exit
 * code 2) if the base URL is invalid, or if the profile's key belongs to a different origin.
 */
export function resolveTarget(input: ResolveInput & { readonly needs: readonly Need[] }): Settings {
  const settings = resolveSettings(input)
  for (const need of settings.kind === 'service' ? input.needs : []) requireSetting(settings, need)
  return settings
}

/**
 * Determines the service like {@link resolveTarget}, but requires no settings. Use {@link requireSetting} to get a
 * setting.
 */
export function resolveSettings(input: ResolveInput): Settings {
  const { flags, env } = input
  if (flags.profile === '') throw new Failure('USAGE', '--profile must not be empty')
  const named = flags.profile ?? readVariable(env, 'PARTNER_PROFILE')
  // If the environment contains a base URL and a key, the key belongs to that service and must not be sent to the
  // sandbox.
  const isAlone =
    flags.profile !== undefined || (named === SANDBOX_PROFILE && readVariable(env, 'PARTNER_BASE_URL') !== undefined)
  const ignored = isAlone ? VARIABLES.filter((name) => readVariable(env, name) !== undefined) : []
  return { ...findSettings(input, named, isAlone ? {} : env), ignored }
}

function findSettings(input: ResolveInput, named: string | undefined, env: Variables): Settings {
  const { flags } = input
  const chosenBy = flags.profile === undefined ? 'PARTNER_PROFILE' : '--profile'
  if (named === SANDBOX_PROFILE) return resolveSandbox(flags, env, { value: named, from: chosenBy }, {})
  const given = readGiven(flags, env)
  const needs = input.needs ?? []
  if (named === undefined && needs.length > 0 && needs.every((need) => given[need] !== null))
    return { ...given, ...NO_PROFILE_SETTINGS }
  const file = input.profiles()
  const fromFile = { warnings: file.warnings, profileNames: [...file.byName.keys()] }
  const current = file.current === null ? null : { value: file.current, from: 'profiles use' }
  const chosen = named === undefined ? (input.usual ?? current) : { value: named, from: chosenBy }
  if (chosen === null) return { ...given, ...NO_PROFILE_SETTINGS, ...fromFile }
  if (chosen.value === SANDBOX_PROFILE) {
    // A base URL that the user gave explicitly takes precedence over a profile that was selected implicitly.
    if (given.baseUrl !== null) return { ...given, ...NO_PROFILE_SETTINGS, ...fromFile }
    return resolveSandbox(flags, env, chosen, fromFile)
  }
  const profile = file.byName.get(chosen.value)
  if (profile === undefined) {
    const from = chosen === current ? 'partner profiles use' : chosen.from
    throw unknownProfileFailure(chosen.value, file.byName.keys(), from)
  }
  return mergeProfile(given, chosen, profile, fromFile)
}

type FileDetails = Partial<Pick<Settings, 'warnings' | 'profileNames'>>
type Given = Pick<Settings, Need | 'timezone' | 'ledger'>

const NO_PROFILE_SETTINGS = {
  ...{ kind: 'service' as const, profile: null, environment: null, mode: null, shape: null, foreignKeyOrigin: null },
  ...{ profileNames: [], ignored: [], warnings: [] },
} as const

function readTexts(read: (setting: TextSetting) => Sourced<string> | null): Pick<Settings, TextSetting> {
  const settings = Object.keys(TEXTS) as TextSetting[]
  return Object.fromEntries(settings.map((setting) => [setting, read(setting)])) as Pick<Settings, TextSetting>
}

function readGiven({ baseUrl: baseUrlFlag, ledger }: ResolveInput['flags'], env: Variables): Given {
  const baseUrl = baseUrlFlag ?? readVariable(env, 'PARTNER_BASE_URL')
  const from = baseUrlFlag === undefined ? 'PARTNER_BASE_URL' : '--base-url'
  return {
    baseUrl: baseUrl === undefined ? null : { value: checkBaseUrl(baseUrl, from), from },
    apiKey: readSecretVariable(env, 'PARTNER_API_KEY'),
    signingSecret: readSecretVariable(env, 'PARTNER_SIGNING_SECRET'),
    ...readTexts((setting) => checkSourced(setting, env[TEXTS[setting]], TEXTS[setting])),
    ...(ledger === undefined ? {} : { ledger: checkSourced('ledger', ledger, '--ledger') }),
  }
}

function mergeProfile(given: Given, chosen: Sourced<string>, profile: Profile, fromFile: FileDetails): Settings {
  const from = `profile ${chosen.value}`
  const toSourced = <T>(value: T | null) => (value === null ? null : { value, from })
  const origin = profile.baseUrl === null ? null : URL.parse(profile.baseUrl)?.origin
  const isElsewhere = given.baseUrl !== null && given.baseUrl.value.origin !== origin
  const isForeignKey = isElsewhere && given.apiKey === null && profile.apiKey !== null
  return {
    ...NO_PROFILE_SETTINGS,
    profile: chosen,
    environment: profile.environment,
    mode: profile.mode,
    // A different origin is a different service, so the accepted differences do not apply to it.
    shape: isElsewhere ? null : profile.shape,
    baseUrl: given.baseUrl ?? (profile.baseUrl === null ? null : { value: checkBaseUrl(profile.baseUrl, from), from }),
    // A key that belongs to a different origin is omitted, so that no caller can send it to the wrong service.
    apiKey: given.apiKey ?? (isForeignKey ? null : toSourced(profile.apiKey)),
    signingSecret: given.signingSecret ?? toSourced(profile.signingSecret),
    ...readTexts((setting) => given[setting] ?? checkSourced(setting, profile[setting], from)),
    foreignKeyOrigin: isForeignKey ? describeOrigin(profile.baseUrl) : null,
    ...fromFile,
  }
}

function resolveSandbox(flags: ResolveInput['flags'], env: Variables, profile: Sourced<string>, fromFile: FileDetails) {
  if (flags.baseUrl !== undefined)
    throw new Failure('USAGE', '--base-url cannot be used with the sandbox profile, which runs inside this command', {
      hint: 'omit one of them; for a sandbox that runs elsewhere, use only PARTNER_API_KEY and --base-url',
    })
  return { ...readGiven(flags, env), ...NO_PROFILE_SETTINGS, kind: 'sandbox' as const, profile, ...fromFile }
}

/**
 * Reads a variable. An empty variable counts as not set, because build servers set missing secrets to empty strings.
 */
function readVariable(env: Variables, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

function readSecretVariable(env: Variables, name: string): Sourced<SecretSource> | null {
  const file = readVariable(env, `${name}_FILE`)
  if (readVariable(env, name) !== undefined) {
    if (file !== undefined)
      throw new Failure('USAGE', `both ${name} and ${name}_FILE are set, but only one is allowed`, {
        hint: 'unset one of them',
      })
    return { value: { env: name }, from: name }
  }
  return file === undefined ? null : { value: { file }, from: `${name}_FILE` }
}

/**
 * Checks a value and adds its source. Returns `null` if the value is empty. Does not check time zones, which are
 * checked when they are used. Throws USAGE if the value is invalid.
 */
function checkSourced(setting: TextSetting, text: string | null | undefined, from: string): Sourced<string> | null {
  if (!text) return null
  const source = from.startsWith('profile ') ? `"${setting}" of ${from}` : from
  const problem = setting === 'timezone' ? null : checkMember(setting, text, source)
  if (problem !== null) throw new Failure('USAGE', problem)
  return { value: text, from }
}

function describeOrigin(baseUrl: string | null): string {
  return (baseUrl === null ? null : URL.parse(maskBaseUrl(baseUrl))?.origin) ?? 'no known address'
}
