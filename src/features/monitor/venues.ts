import { usageFailure } from '../../base/failure/failure.ts'
import { chooseProfiles } from '../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import type { CheckEntry } from '../../monitor/file/monitor-file.ts'
import { type FileMistake, mistakesFailure, type ReadFile } from '../../monitor/file/read-file.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { copyOwner, settingsOf } from '../shared/copies.ts'
import type { WatchedVenue } from './checks/context.ts'
import type { VenueChoice } from './flags.ts'

/** Returns the venues that the command line selects. Throws NO_PROFILE or USAGE. */
export function chooseVenues(flags: VenueChoice, host: Host): readonly WatchedVenue[] {
  const { profiles, profile, 'base-url': baseUrl } = flags
  if (profiles === undefined) {
    const own = {
      ...(profile === undefined ? {} : { profile }),
      ...(baseUrl === undefined ? {} : { 'base-url': baseUrl }),
    }
    return [{ profile: copyOwner(settingsOf(host, flags)).profile, flags: own }]
  }
  for (const [name, given] of [
    ['--profile', profile],
    ['--base-url', baseUrl],
  ] as const)
    if (given !== undefined)
      throw usageFailure([`${name} and --profiles cannot be used together`], 'remove one of them')
  const names = chooseProfiles(profiles, readProfiles(profilesPath(host.env)))
  return names.map((name) => ({ profile: name, flags: { profile: name } }))
}

/** Returns a function that checks whether a profile still exists. */
export function existingProfiles({ env }: Host): (profile: string | null) => boolean {
  const { byName } = readProfiles(profilesPath(env))
  return (profile) => profile === null || profile === 'sandbox' || byName.has(profile)
}

/** Checks that no two venues share a file. Throws USAGE with the position of each check that names a shared file. */
export function requireFilePerVenue({ name, checks }: ReadFile, venues: readonly WatchedVenue[]): void {
  if (venues.length < 2) return
  const mistakes = checks.flatMap((check): FileMistake[] => {
    const shared = filesOfOneVenue(check).filter((file) => !file.includes('{profile}'))
    const words = (file: string) =>
      `${file} can belong to only one venue, but --profiles names several: put {profile} in the file name`
    return shared.map((file) => ({ place: check.place, words: words(file) }))
  })
  if (mistakes.length > 0) throw mistakesFailure(name, mistakes)
}

/** Returns the check's files that must belong to a single venue. */
function filesOfOneVenue({ what }: CheckEntry): readonly string[] {
  const isFile = (name: string) => databaseKind(name) === null
  if (what.kind === 'copy' || what.kind === 'gaps') return isFile(what.copy) ? [what.copy] : []
  if (what.kind !== 'books') return []
  return [what.sales, ...(what.copy !== null && isFile(what.copy) ? [what.copy] : [])]
}
