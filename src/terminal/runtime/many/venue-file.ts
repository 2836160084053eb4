import { usageFailure } from '../../../base/failure/failure.ts'
import type { Host } from '../host.ts'

const PLACEHOLDER = '{profile}'

/**
 * Returns the file of the venue that this run is for: with `--profiles`, `{profile}` in its name is the name of the profile.
 * Fails: USAGE when the name has none, so that all venues would share the file.
 * @param what how the command line calls it: `FILE`, `--fix`.
 * @param example such as `closings-{profile}.ndjson`.
 */
export function venueFile(
  { venue }: Host,
  given: string,
  { what, example }: { what: string; example: string },
): string {
  if (venue === undefined) return given
  if (given.includes(PLACEHOLDER)) return given.replaceAll(PLACEHOLDER, venue.profile)
  throw usageFailure(
    [`${what} is one file, and with --profiles each venue needs its own`],
    `put ${PLACEHOLDER} into its name, such as ${example}; or name one venue with --profile`,
  )
}
