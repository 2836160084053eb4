import { usageFailure } from '../../../base/failure/failure.ts'
import type { Host } from '../host.ts'

const PLACEHOLDER = '{profile}'

/** Replaces `{profile}` in the file name of a venue. `what` is its flag or argument. Fails: USAGE without it. */
export function venueFile({ venue }: Host, given: string, what: string, example: string): string {
  if (venue === undefined) return given
  if (given.includes(PLACEHOLDER)) return given.replaceAll(PLACEHOLDER, venue.profile)
  throw usageFailure(
    [`${what} is one file, and with --profiles each venue needs its own`],
    `put ${PLACEHOLDER} into its name, such as ${example}; or name one venue with --profile`,
  )
}
