import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import type { Dialect } from '../../contract/answers/dialect.ts'
import type { EnvironmentName, Mode, SecretSource, Sourced } from './profile.ts'

export type Need = 'baseUrl' | 'apiKey' | 'signingSecret' | 'partnerName' | 'signatureHeader' | 'locationId'

/**
 * The settings from flags, variables and a profile, together with their sources. `null` means that a setting is not
 * set.
 */
export interface Settings {
  /** Whether to call a service or the sandbox in this process. The sandbox supplies any setting that is `null`. */
  readonly kind: 'service' | 'sandbox'
  /** The profile, and what selected it: `--profile`, `PARTNER_PROFILE` or `profiles use`. */
  readonly profile: Sourced<string> | null
  readonly environment: EnvironmentName | null
  readonly mode: Mode | null
  /** How the service is known to differ from the contract, or `null` if no differences are known. */
  readonly shape: Dialect | null
  readonly baseUrl: Sourced<URL> | null
  readonly apiKey: Sourced<SecretSource> | null
  readonly signingSecret: Sourced<SecretSource> | null
  readonly partnerName: Sourced<string> | null
  readonly signatureHeader: Sourced<string> | null
  readonly locationId: Sourced<string> | null
  readonly timezone: Sourced<string> | null
  /** The PostgreSQL URL of the ledger, or `null` if money writes are recorded only on this machine. */
  readonly ledger: Sourced<string> | null
  /** The origin that the profile's key belongs to, if it differs from the origin of `baseUrl`; otherwise `null`. */
  readonly foreignKeyOrigin: string | null
  /** The names of all profiles. Empty if the profile file was not read. */
  readonly profileNames: readonly string[]
  /** The environment variables that were ignored because a flag names the profile. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
}

export const TRY_SANDBOX_HINT =
  'try the sandbox: partner bookings list --from today --profile sandbox; or add a profile: partner profiles add --help'

const NEEDS: Readonly<Record<Need, { name: string; variable: string; flag: string }>> = {
  baseUrl: { name: 'base URL', variable: 'PARTNER_BASE_URL', flag: '--base-url URL' },
  apiKey: { name: 'API key', variable: 'PARTNER_API_KEY', flag: '--api-key env:VAR' },
  signingSecret: { name: 'signing secret', variable: 'PARTNER_SIGNING_SECRET', flag: '--signing-secret env:VAR' },
  partnerName: { name: 'partner name', variable: 'PARTNER_NAME', flag: '--partner-name NAME' },
  signatureHeader: { name: 'signature header', variable: 'PARTNER_SIGNATURE_HEADER', flag: '--signature-header NAME' },
  locationId: { name: 'location ID', variable: 'PARTNER_LOCATION_ID', flag: '--location-id ID' },
}

/**
 * Returns a setting. Throws NO_PROFILE (exit code 4) if it is missing, or USAGE if it is a key that belongs to a
 * different origin.
 */
export function requireSetting<N extends Need>(settings: Settings, need: N): NonNullable<Settings[N]> {
  const value = settings[need]
  if (value !== null) return value
  const isNamedByFlag = settings.profile?.from === '--profile'
  if (need === 'apiKey' && settings.foreignKeyOrigin !== null && settings.profile !== null) {
    const { value: url, from } = settings.baseUrl ?? { value: null, from: 'the base URL' }
    const key = `the API key of profile ${settings.profile.value} belongs to ${settings.foreignKeyOrigin}`
    const first = isNamedByFlag ? 'omit --profile, and ' : ''
    throw new Failure('USAGE', `${key} and is not sent to ${url?.origin} (${from})`, {
      hint: `${first}set PARTNER_API_KEY to the key of that service, or add a profile for it`,
    })
  }
  const { name, variable: fromVariable, flag } = NEEDS[need]
  if (settings.profile !== null)
    throw new Failure('NO_PROFILE', `profile ${settings.profile.value} has no ${name}`, {
      hint: `${isNamedByFlag ? '' : `set ${fromVariable}, or `}set it in the profile with ${flag}: partner profiles set --help`,
    })
  const nothing = settings.baseUrl === null && settings.apiKey === null && settings.signingSecret === null
  if (nothing && settings.profileNames.length > 0)
    throw new Failure('NO_PROFILE', 'no profile is selected, and no current profile is set', {
      hint: `select one with --profile, or make one the current profile: ${formatCommand`profiles use ${settings.profileNames[0] ?? ''}`}; your profiles: ${settings.profileNames.join(', ')}`,
    })
  if (nothing && (need === 'baseUrl' || need === 'apiKey'))
    throw new Failure('NO_PROFILE', 'no profile is set up, so partner cannot connect to a service', {
      hint: TRY_SANDBOX_HINT,
    })
  throw new Failure('NO_PROFILE', `the ${name} is missing: neither ${fromVariable} nor a profile sets it`, {
    hint: `set ${fromVariable}, or use a profile: --profile NAME`,
  })
}

/** Explains which environment variables were ignored. Returns `null` if none were. */
export function describeIgnored({ ignored, profile }: Settings): string | null {
  if (ignored.length === 0 || profile === null) return null
  return `${profile.from} ${profile.value} takes precedence; ignored variables: ${ignored.join(', ')}`
}
