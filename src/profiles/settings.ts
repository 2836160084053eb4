import { Failure } from '../failure/failure.ts'
import type { EnvironmentName, Mode, SecretSource, Sourced } from './profile.ts'

/** The settings that a command can be unable to do without. */
export type Need = 'baseUrl' | 'apiKey' | 'signingSecret' | 'partnerName' | 'signatureHeader' | 'locationId'

/** Everything that flags, variables and a profile say, each with where it came from; null where nobody says anything. */
export interface Settings {
  /** `sandbox`: the service inside this process; it brings what is null here. */
  readonly kind: 'service' | 'sandbox'
  /** The profile's name, and what chose it: `--profile`, `PARTNER_PROFILE`, `profiles use`. */
  readonly profile: Sourced<string> | null
  readonly environment: EnvironmentName | null
  readonly mode: Mode | null
  readonly baseUrl: Sourced<URL> | null
  readonly apiKey: Sourced<SecretSource> | null
  readonly signingSecret: Sourced<SecretSource> | null
  readonly partnerName: Sourced<string> | null
  readonly signatureHeader: Sourced<string> | null
  readonly locationId: Sourced<string> | null
  readonly timezone: Sourced<string> | null
  /** The origin that the profile's own key belongs to, when `baseUrl` leads elsewhere; null when it does not. */
  readonly foreignKeyOrigin: string | null
  /** The names in the profile file; empty when it was not read. */
  readonly profileNames: readonly string[]
  /** The variables that are set and were not looked at, as the profile was named by a flag. */
  readonly ignored: readonly string[]
  /** Lines for stderr. */
  readonly warnings: readonly string[]
}

const TRY_IT = 'try it with --profile sandbox, or set up your own: partner profiles add NAME'

/** How each need is called, and the variable and the flag of `profiles set` that give it. */
const NEEDS: Readonly<Record<Need, { name: string; variable: string; flag: string }>> = {
  baseUrl: { name: 'base URL', variable: 'PARTNER_BASE_URL', flag: '--base-url URL' },
  apiKey: { name: 'API key', variable: 'PARTNER_API_KEY', flag: '--api-key env:VAR' },
  signingSecret: { name: 'signing secret', variable: 'PARTNER_SIGNING_SECRET', flag: '--signing-secret env:VAR' },
  partnerName: { name: 'partner name', variable: 'PARTNER_NAME', flag: '--partner-name NAME' },
  signatureHeader: { name: 'signature header', variable: 'PARTNER_SIGNATURE_HEADER', flag: '--signature-header NAME' },
  locationId: { name: 'location ID', variable: 'PARTNER_LOCATION_ID', flag: '--location-id ID' },
}

/**
 * A setting that the command cannot do without. Fails: NO_PROFILE (exit 4) when nobody gives it, saying how to;
 * USAGE (exit 2) for the key of a profile whose address was overridden by another origin's.
 */
export function requireSetting<N extends Need>(settings: Settings, need: N): NonNullable<Settings[N]> {
  const value = settings[need]
  if (value !== null) return value
  const isAlone = settings.profile?.from === '--profile'
  if (need === 'apiKey' && settings.foreignKeyOrigin !== null && settings.profile !== null) {
    const { value: url, from } = settings.baseUrl ?? { value: null, from: 'the base URL' }
    throw new Failure(
      'USAGE',
      `the API key of profile ${settings.profile.value} belongs to ${settings.foreignKeyOrigin}, and is not sent to ${url?.origin} (${from})`,
      {
        hint: `${isAlone ? 'leave --profile out, and ' : ''}give the key of that service in PARTNER_API_KEY, or add a profile for it`,
      },
    )
  }
  const { name, variable: fromVariable, flag } = NEEDS[need]
  if (settings.profile !== null) {
    throw new Failure('NO_PROFILE', `profile ${settings.profile.value} has no ${name}`, {
      hint: `${isAlone ? '' : `set ${fromVariable}, or: `}partner profiles set ${settings.profile.value} ${flag}`,
    })
  }
  const nothing = settings.baseUrl === null && settings.apiKey === null && settings.signingSecret === null
  if (nothing && settings.profileNames.length > 0) {
    throw new Failure('NO_PROFILE', 'no profile is chosen, and none is the current one', {
      hint: `choose with --profile NAME or partner profiles use NAME; there are: ${settings.profileNames.join(', ')}`,
    })
  }
  if (nothing && (need === 'baseUrl' || need === 'apiKey')) {
    throw new Failure('NO_PROFILE', 'no profile is set up, so there is no service to talk to', { hint: TRY_IT })
  }
  throw new Failure('NO_PROFILE', `there is no ${name}: neither ${fromVariable} nor a profile gives one`, {
    hint: `set ${fromVariable}, or use a profile: --profile NAME`,
  })
}

/** For whoever wonders why a variable has no effect: which ones were not looked at. Null: all were. */
export function describeIgnored({ ignored, profile }: Settings): string | null {
  if (ignored.length === 0 || profile === null) return null
  return `${profile.from} ${profile.value} is used as it is; not looked at: ${ignored.join(', ')}`
}
