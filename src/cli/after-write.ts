import { Failure } from '../failure/failure.ts'
import { Interrupted } from '../http/errors.ts'
import { ReaderGone } from './output.ts'

const HINT = 'do not do it again; read back what was changed'

/**
 * What ended a command that had already changed something: a full disk or a reader that left says nothing of the change, and
 * must not look like a reason to make it again. Failures of further requests stay what they are.
 */
export function afterWrite(error: unknown): unknown {
  if (error instanceof ReaderGone)
    return new Failure(
      'INCOMPLETE',
      'the change was made, but its answer could not be printed: nobody reads it any more',
      {
        hint: HINT,
        outcome: 'applied',
      },
    )
  if (error instanceof Interrupted)
    return new Failure('INTERRUPTED', `${error.message}, after the change was made`, { hint: HINT, outcome: 'applied' })
  if (error instanceof Failure && error.code !== 'INTERNAL' && error.code !== 'USAGE') return error
  const why = error instanceof Error ? error.message : String(error)
  return new Failure('INTERNAL', `the change was made, but its answer could not be printed: ${why}`, {
    hint: HINT,
    outcome: 'applied',
    cause: error,
  })
}
