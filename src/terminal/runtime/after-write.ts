import { Failure, messageOf } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { ReaderGone, ReaderStalled } from '../output/output.ts'

/**
 * Returns the failure to report if a command ended before the response to a change arrived. `operation` is the ID of
 * the open money write, or `null`.
 */
export function failureDuringWrite(error: unknown, operation: string | null): Failure {
  const what = error instanceof Interrupted ? error.message : `unexpected error: ${messageOf(error)}`
  const words = `${what} while a change was in progress: its outcome is unknown`
  const about = { outcome: 'unknown', cause: error } as const
  if (operation === null)
    return new Failure('OUTCOME_UNKNOWN', words, {
      ...about,
      hint: 'check the result before you run the command again',
    })
  const hint = `do not repeat it; check the outcome in a minute: ${formatCommand`operations resolve ${operation}`}`
  return new Failure('OUTCOME_UNKNOWN', words, { ...about, hint, details: { operation } })
}

/**
 * Returns the failure to report if a command ended after a change was made, for example because the disk was full or
 * the output was closed. Its hint tells users not to repeat the change. Failures of later requests are returned
 * unchanged. `operation` is the ID of the open money write, or `null`.
 */
export function failureAfterWrite(error: unknown, operation: string | null): unknown {
  const next = operation === null ? 'check what was changed' : formatCommand`operations resolve ${operation}`
  const hint = `do not repeat it; ${next}`
  const details = operation === null ? undefined : { operation }
  const unprinted = 'the change was made, but its response could not be printed'
  const about = { hint, outcome: 'applied', details, cause: error } as const
  if (error instanceof ReaderGone) return new Failure('INCOMPLETE', `${unprinted}: the output was closed`, about)
  if (error instanceof ReaderStalled) return new Failure('INCOMPLETE', `${unprinted}: ${error.message}`, about)
  if (error instanceof Interrupted)
    return new Failure('INTERRUPTED', `${error.message} after the change was made`, about)
  if (error instanceof Failure && error.code !== 'INTERNAL' && error.code !== 'USAGE') return error
  return new Failure('INTERNAL', `${unprinted}: ${messageOf(error)}`, about)
}
