import { maskSecret } from '../../base/redaction/redaction.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { describeDialect } from '../../contract/answers/dialect.ts'
import { maskBaseUrl } from './base-url.ts'
import { describeSecret } from './describe.ts'
import type { SecretSource, Sourced } from './profile.ts'
import type { Settings } from './settings.ts'

/** A setting that is in effect, and its source. */
export interface EffectiveSetting {
  readonly setting: string
  /** The value, or `null` if the setting is not set. A secret is masked or shown as a reference. */
  readonly value: string | number | boolean | null
  /**
   * The source of the value, such as `--base-url`, `PARTNER_BASE_URL`, `profile dev` or `default`. `null` if the
   * setting is not set.
   */
  readonly from: string | null
}

/** The kinds of source that a setting can have. */
export type SettingSource = 'flag' | 'variable' | 'profile' | 'sandbox' | 'default'

/** Returns the kind of source that a setting has, or `null` if the setting is not set. */
export function sourceOf({ from }: EffectiveSetting): SettingSource | null {
  if (from === null || from === 'sandbox') return from
  if (from.startsWith('-')) return 'flag'
  if (/^profiles? /.test(from)) return 'profile'
  return /^(?:[A-Z_]+|[a-z]+_proxy)$/.test(from) ? 'variable' : 'default'
}

/** Describes the service that a command would use. Does not read files or run commands to get secrets. */
export function describeService(settings: Settings, env: Variables): EffectiveSetting[] {
  const { profile, environment, mode, shape, baseUrl, foreignKeyOrigin, kind } = settings
  const isSandbox = kind === 'sandbox'
  const profileName = profile === null ? null : `profile ${profile.value}`
  const own = (setting: string, value: string | null) => ({ setting, value, from: value === null ? null : profileName })
  const given = (setting: string, sourced: Sourced<string> | null, ofSandbox: string): EffectiveSetting =>
    sourced === null && isSandbox
      ? { setting, value: ofSandbox, from: 'sandbox' }
      : { setting, value: sourced?.value ?? null, from: sourced?.from ?? null }
  const secret = (sourced: Sourced<SecretSource> | null) =>
    sourced && { value: shownSecret(sourced.value, env), from: sourced.from }
  const address = baseUrl && { ...baseUrl, value: maskBaseUrl(baseUrl.value.href).replace(/\/$/, '') }
  const key = given('apiKey', secret(settings.apiKey), 'its own')
  const timezone = given('timezone', settings.timezone, 'its own')
  return [
    { setting: 'profile', value: profile?.value ?? null, from: profile?.from ?? null },
    own('environment', environment),
    own('mode', mode),
    ...(shape === null ? [] : [own('shape', describeDialect(shape))]),
    given('baseUrl', address, 'this machine, on a free port'),
    foreignKeyOrigin === null
      ? key
      : { setting: 'apiKey', value: `not sent: it belongs to ${foreignKeyOrigin}`, from: profileName },
    given('signingSecret', secret(settings.signingSecret), 'its own'),
    given('signatureHeader', settings.signatureHeader, 'its own'),
    given('partnerName', settings.partnerName, 'its own'),
    given('locationId', settings.locationId, 'its own'),
    { setting: 'ledger', value: settings.ledger?.value ?? null, from: settings.ledger?.from ?? null },
    timezone.value === null ? { setting: 'timezone', value: 'UTC', from: 'default' } : timezone,
  ]
}

/** Masks a secret that is in a variable. For any other secret, describes where it is stored. */
function shownSecret(source: SecretSource, env: Variables): string {
  const value = 'env' in source ? env[source.env] : undefined
  if (!value || !('env' in source)) return describeSecret(source, env)
  const isOurs = /^PARTNER_(?:API_KEY|SIGNING_SECRET)$/.test(source.env)
  return `${maskSecret(value)} (${isOurs ? 'set' : `env:${source.env}`})`
}
