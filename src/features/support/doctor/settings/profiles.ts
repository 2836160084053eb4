import { lstatSync, readlinkSync } from 'node:fs'
import { formatCount } from '../../../../base/counted.ts'
import { Failure } from '../../../../base/failure/failure.ts'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { formatCommand } from '../../../../base/failure/suggested.ts'
import { isKnownZone } from '../../../../base/time/zone.ts'
import { maskBaseUrl } from '../../../../client/profiles/base-url.ts'
import { profilesPath, type ReadProfiles, readProfiles } from '../../../../client/profiles/read.ts'
import { resolveSettings } from '../../../../client/profiles/resolve.ts'
import { describeIgnored, requireSetting, type Settings } from '../../../../client/profiles/settings.ts'
import { type DoctorState, type Examination, type Section, setProfile } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skip, skipAfter, warn } from '../finding.ts'

const [PARSED, LINKS, PROFILE] = ['configuration', 'links', 'profile'] as const

/** Checks that the profile file can be read and is not a symbolic link. */
export const configurationSection: Section = {
  rows: [PARSED, LINKS],
  needs: [],
  *examine(given) {
    const path = profilesPath(given.around.env)
    let profiles: ReadProfiles
    try {
      profiles = readProfiles(path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const next = `ls -l ${quoteShellWord(path)}`
      const message = failureLine(error)
      if (isNeeded(given)) {
        yield fail(PARSED, `${message}; correct it manually, or move it aside and add the profiles again`, next)
        yield skipAfter(LINKS, PARSED)
      } else {
        yield warn(PARSED, `${message}; this command does not need the file`, next)
        yield skip(LINKS, 'not checked')
      }
      return
    }
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) {
      yield ok(PARSED, `no profile file exists yet (${path})`)
      yield skip(LINKS, 'no profile file exists yet')
      return
    }
    yield ok(PARSED, `${path} has ${formatCount(profiles.byName.size, 'profile')}`)
    yield stats.isSymbolicLink()
      ? warn(
          LINKS,
          `${path} is a symbolic link (to ${readlinkSync(path)}): partner reads the file, but does not write changes through the link`,
          `ls -l ${quoteShellWord(path)}`,
        )
      : ok(LINKS, 'the profile file is not a symbolic link')
  },
}

/** Checks the time zone and the settings that identify the service. */
export const profileSection: Section = {
  rows: [PROFILE],
  needs: ['configuration'],
  *examine(given, known) {
    try {
      const settings = settingsFor(given, () => readProfiles(profilesPath(given.around.env)))
      if (settings.kind === 'service') requireSetting(settings, 'baseUrl')
      known.settings = settings
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { profiles = [] } = (error.details ?? {}) as { readonly profiles?: readonly string[] }
      // If the invalid setting is in a profile, the message contains the profile's name.
      const [, refused] = (error.code === 'USAGE' && /\bprofile ([\w.-]+)/.exec(error.words)) || []
      const list = profiles.length > 0 ? 'partner profiles list' : (error.hint ?? 'correct or remove this setting')
      yield fail(PROFILE, failureLine(error), refused === undefined ? list : formatCommand`profiles show ${refused}`)
      return
    }
    yield profileRow(known.settings, known)
  },
}

/** Returns the settings for this run. Throws NO_PROFILE, USAGE or any error from `profiles`. */
function settingsFor({ around, profile, baseUrl, ledger }: Examination, profiles: () => ReadProfiles): Settings {
  const flags = { profile, baseUrl, ledger }
  return resolveSettings({ flags, env: around.env, needs: ['baseUrl', 'apiKey'], profiles })
}

/** Thrown if the settings cannot be determined without the profile file. */
class ProfilesNeeded extends Error {}

/** Returns whether this run needs the profile file. The sandbox and settings from variables do not need it. */
function isNeeded(given: Examination): boolean {
  try {
    settingsFor(given, () => {
      throw new ProfilesNeeded()
    })
    return false
  } catch (error) {
    return error instanceof ProfilesNeeded
  }
}

function profileRow(settings: Settings, known: DoctorState): Finding {
  const { timezone } = settings
  if (timezone !== null && !isKnownZone(timezone.value))
    return fail(
      PROFILE,
      `${JSON.stringify(timezone.value)} (${timezone.from}) is not a time zone`,
      timezone.from.startsWith('profile ')
        ? setProfile('--timezone Australia/Sydney', known)
        : `export ${timezone.from}=Australia/Sydney`,
    )
  const text = [describeSettings(settings), describeIgnored(settings)].filter((part) => part !== null).join('; ')
  if (settings.kind === 'sandbox' || timezone !== null) return ok(PROFILE, text)
  return warn(
    PROFILE,
    `${text}; no time zone is set, so dates are in UTC`,
    setProfile('--timezone Australia/Sydney', known) ?? 'export PARTNER_TIMEZONE=Australia/Sydney',
  )
}

function describeSettings({ kind, profile, environment, baseUrl }: Settings): string {
  if (kind === 'sandbox') return 'the sandbox, inside this command'
  const address = baseUrl === null ? '' : maskBaseUrl(baseUrl.value.href).replace(/\/$/, '')
  const named = profile === null ? `no profile; ${address} (${baseUrl?.from})` : `${profile.value} (${profile.from})`
  const place = profile === null ? '' : `, ${address}`
  return `${named}${place}${environment === null ? '' : `, ${environment}`}`
}
