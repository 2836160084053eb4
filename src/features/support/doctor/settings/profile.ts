import { Failure } from '../../../../base/failure/failure.ts'
import { suggest } from '../../../../base/failure/suggested.ts'
import { isKnownZone } from '../../../../base/time/zone.ts'
import { maskBaseUrl } from '../../../../client/profiles/base-url.ts'
import { profilesPath, readProfiles } from '../../../../client/profiles/read.ts'
import { resolveSettings } from '../../../../client/profiles/resolve.ts'
import { describeIgnored, requireSetting, type Settings } from '../../../../client/profiles/settings.ts'
import { type Examination, type Known, type Section, setProfile } from '../examination.ts'
import { type Finding, fail, failureLine, ok, warn } from '../finding.ts'

const NAME = 'profile'

/** Checks the settings of the service. */
export const profileSection: Section = {
  rows: [NAME],
  needs: ['configuration'],
  *examine(given, known) {
    try {
      const settings = settingsFor(given)
      if (settings.kind === 'service') requireSetting(settings, 'baseUrl')
      known.settings = settings
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { profiles = [] } = (error.details ?? {}) as { readonly profiles?: readonly string[] }
      // The invalid setting is in this profile, or where the message says.
      const [, refused] = (error.code === 'USAGE' && /\bprofile ([\w.-]+)/.exec(error.words)) || []
      const list = profiles.length > 0 ? 'partner profiles list' : (error.hint ?? null)
      yield fail(NAME, failureLine(error), refused === undefined ? list : suggest`profiles show ${refused}`)
      return
    }
    yield judged(known.settings, known)
  },
}

/** Fails: NO_PROFILE, USAGE. */
function settingsFor({ around, profile, baseUrl }: Examination): Settings {
  const { env } = around
  return resolveSettings({
    flags: { profile, baseUrl },
    env,
    needs: ['baseUrl', 'apiKey'],
    profiles: () => readProfiles(profilesPath(env)),
  })
}

function judged(settings: Settings, known: Known): Finding {
  const { timezone } = settings
  if (timezone !== null && !isKnownZone(timezone.value))
    return fail(
      NAME,
      `${JSON.stringify(timezone.value)} (${timezone.from}) is not a time zone`,
      timezone.from.startsWith('profile ')
        ? setProfile('--timezone Australia/Sydney', known)
        : `export ${timezone.from}=Australia/Sydney`,
    )
  const text = [described(settings), describeIgnored(settings)].filter((part) => part !== null).join('; ')
  if (settings.kind === 'sandbox' || timezone !== null) return ok(NAME, text)
  return warn(
    NAME,
    `${text}; no time zone is set, so dates mean UTC`,
    setProfile('--timezone Australia/Sydney', known) ?? 'export PARTNER_TIMEZONE=Australia/Sydney',
  )
}

function described({ kind, profile, environment, baseUrl }: Settings): string {
  if (kind === 'sandbox') return 'the sandbox, inside this command'
  const address = baseUrl === null ? '' : maskBaseUrl(baseUrl.value.href).replace(/\/$/, '')
  const named = profile === null ? `no profile; ${address} (${baseUrl?.from})` : `${profile.value} (${profile.from})`
  const place = profile === null ? '' : `, ${address}`
  return `${named}${place}${environment === null ? '' : `, ${environment}`}`
}
