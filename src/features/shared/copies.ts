import { usageFailure } from '../../base/failure/failure.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { resolveSettings } from '../../client/profiles/resolve.ts'
import type { Settings } from '../../client/profiles/settings.ts'
import type { TargetKind } from '../../sync/open-target.ts'
import { flag, requiredFlag } from '../../terminal/input/flags.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export const TARGET_FLAGS = {
  to: requiredFlag('TARGET', 'x.ndjson, x.csv, x.db, postgres://…, or - for stdout.'),
  source: flag('NAME', "Whose records these are, in the target (default: the profile's name)."),
} as const

/** The service that a copy is of. */
export interface Whose {
  readonly profile: string | null
  /** `null` if it is not known. */
  readonly service: string | null
}

/** The name that tells a copy's records from others. Fails: USAGE when a database would have none. */
export function sourceOf(named: string | undefined, kind: TargetKind, { profile, service }: Whose): string {
  if (named?.trim() === '') throw usageFailure(['--source must not be empty'])
  if (named !== undefined) return named
  const isDatabase = kind === 'postgres' || kind === 'sqlite'
  const source = profile ?? (isDatabase ? null : service)
  if (source !== null) return source
  // A file knows by itself whose records it has.
  if (kind === 'file') return ''
  throw usageFailure(
    ['--source is needed: without a profile, nothing says whose records these are'],
    'give it a name, such as --source city-venue, and the same one each time',
  )
}

export const ONE_SOURCE = '--source is the name of one venue: with --profiles each profile is a source of its own'

/** The profile that a command line means, without its key. Fails: NO_PROFILE, USAGE. */
export function settingsOf(
  { env }: Host,
  flags: { readonly [F in 'profile' | 'base-url']?: string | undefined },
): Settings {
  return resolveSettings({
    flags: { profile: flags.profile, baseUrl: flags['base-url'] },
    env,
    profiles: () => readProfiles(profilesPath(env)),
  })
}

/** The owner of a copy, found without opening anything. Fails: NO_PROFILE, USAGE. */
export function whoseOf({ kind, profile, baseUrl }: Settings): Whose {
  const name = profile?.value ?? (kind === 'sandbox' ? SANDBOX_PROFILE : null)
  return { profile: name, service: baseUrl?.value.href.replace(/\/+$/, '') ?? null }
}

/** A stream that drops everything, for runs that only ask how far a copy goes. */
export const NOWHERE = { write: async () => {}, flush: async () => {} }
