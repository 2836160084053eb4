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
  source: flag('NAME', "Name of the records' venue in the target (default: the profile's name)."),
} as const

/** The profile and the service that a copy belongs to. */
export interface CopyOwner {
  readonly profile: string | null
  /** The base URL of the service, or `null` if it is unknown. */
  readonly service: string | null
}

/**
 * Returns the source name that identifies a copy's records in its target. Throws USAGE if a database needs a name and
 * none is known.
 */
export function sourceName(named: string | undefined, kind: TargetKind, { profile, service }: CopyOwner): string {
  if (named?.trim() === '') throw usageFailure(['--source must not be empty'])
  if (named !== undefined) return named
  const isDatabase = kind === 'postgres' || kind === 'sqlite'
  const source = profile ?? (isDatabase ? null : service)
  if (source !== null) return source
  // A file contains the records of only one venue, so it needs no source name.
  if (kind === 'file') return ''
  throw usageFailure(
    ['--source is required: without a profile, the venue of these records is unknown'],
    'choose a name, such as --source city-venue, and use the same name each time',
  )
}

export const ONE_SOURCE = '--source names a single venue: with --profiles, each profile is its own source'

/**
 * Returns the settings of the profile that the command line selects, without its API key. Throws NO_PROFILE or USAGE.
 */
export function settingsOf(
  { env }: Host,
  flags: { readonly [F in 'profile' | 'base-url' | 'ledger']?: string | undefined },
): Settings {
  return resolveSettings({
    flags: { profile: flags.profile, baseUrl: flags['base-url'], ledger: flags.ledger },
    env,
    profiles: () => readProfiles(profilesPath(env)),
  })
}

/** Returns the profile and service that own copies created with these settings. Opens no files. */
export function copyOwner({ kind, profile, baseUrl }: Settings): CopyOwner {
  const name = profile?.value ?? (kind === 'sandbox' ? SANDBOX_PROFILE : null)
  return { profile: name, service: baseUrl?.value.href.replace(/\/+$/, '') ?? null }
}

/** A stream that discards everything, for commands that only read a copy's state. */
export const DISCARDING_STREAM = { write: async () => {}, flush: async () => {} }
