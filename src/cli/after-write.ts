import { Failure } from '../failure/failure.ts'
import { Interrupted } from '../http/errors.ts'
import { ReaderGone } from './output.ts'

/**
 * What ended a command that had already changed something: a full disk or a reader that left says nothing of the change, and
 * must not look like a reason to make it again. Failures of further requests stay what they are.
 * @param operation the write of money that it was, which stays open, so that it cannot be made again; null: another change.
 */
export function afterWrite(error: unknown, operation: string | null): unknown {
  const next = operation === null ? 'read back what was changed' : `partner operations resolve ${operation}`
  const hint = `do not do it again; ${next}`
  const details = operation === null ? undefined : { operation }
  if (error instanceof ReaderGone)
    return new Failure(
      'INCOMPLETE',
      'the change was made, but its answer could not be printed: nobody reads it any more',
      {
        hint,
        outcome: 'applied',
        details,
      },
    )
  if (error instanceof Interrupted)
    return new Failure('INTERRUPTED', `${error.message}, after the change was made`, {
      hint,
      outcome: 'applied',
      details,
    })
  if (error instanceof Failure && error.code !== 'INTERNAL' && error.code !== 'USAGE') return error
  const why = error instanceof Error ? error.message : String(error)
  return new Failure('INTERNAL', `the change was made, but its answer could not be printed: ${why}`, {
    hint,
    outcome: 'applied',
    details,
    cause: error,
  })
}
