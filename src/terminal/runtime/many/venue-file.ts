import { usageFailure } from '../../../base/failure/failure.ts'
import type { Host } from '../host.ts'

const PLACEHOLDER = '{profile}'

/**
 * Replaces `{profile}` in a file name. `what` is the flag or argument that contains the name. Throws USAGE if there are
 * several venues and the name lacks `{profile}`.
 */
export function venueFile({ venue }: Host, given: string, what: string, example: string): string {
  if (venue === undefined) return given
  if (given.includes(PLACEHOLDER)) return given.replaceAll(PLACEHOLDER, venue.profile)
  throw usageFailure(
    [`${what} names a single file, but with --profiles each venue needs its own`],
    `put ${PLACEHOLDER} into its name, such as ${example}; or choose one venue with --profile`,
  )
}
