import { usageFailure } from '../../../base/failure/failure.ts'
import { findNameProblem } from '../../../base/windows-names.ts'
import type { Host } from '../host.ts'

const PLACEHOLDER = '{profile}'

/**
 * Replaces `{profile}` in a file name. `what` is the flag or argument that contains the name. Throws USAGE if there are
 * several venues and the name lacks `{profile}`.
 */
export function venueFile({ venue }: Host, given: string, what: string, example: string): string {
  if (venue === undefined) return given
  if (given.includes(PLACEHOLDER)) {
    const file = given.replaceAll(PLACEHOLDER, venue.profile)
    const problem = findNameProblem(file)
    if (problem === null) return file
    throw usageFailure([`${what}: ${file} ${problem}`], `for example ${example}`)
  }
  throw usageFailure(
    [`${what} names a single file, but with --profiles each venue needs its own`],
    `put ${PLACEHOLDER} into the file name, such as ${example}, or choose one venue with --profile`,
  )
}
