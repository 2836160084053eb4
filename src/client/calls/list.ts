import type { Endpoint } from '../../contract/endpoint.ts'
import { Failure, joinSaid } from '../../failure/failure.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { ListEnd } from '../../json/record-splitter.ts'
import { RecordStreamError } from '../../json/record-stream-error.ts'
import { readRecords } from '../../json/records.ts'
import { callStreamed, type StreamedAnswer } from './call.ts'
import type { Caller } from './caller.ts'
import { networkFailure, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'

/**
 * The records of a list that comes in one answer, in batches, each record as the text that was sent; at the end, what stands
 * beside them. Memory does not grow with the list.
 * Fails: the cause when nothing was given out yet, INCOMPLETE afterwards.
 * @param before how many records of the same list were given out already.
 */
export async function* streamList<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  before = 0,
): AsyncGenerator<readonly string[], ListEnd, undefined> {
  const answer = await callStreamed(caller, endpoint, input)
  const records = readRecords(answer.body, { listMember: endpoint.list?.member ?? null })
  let given = 0
  try {
    for (;;) {
      const step = await records.next()
      if (step.done) return step.value
      yield step.value
      given += step.value.length
    }
  } catch (error) {
    throw stoppedFailure(error, before + given, answer)
  } finally {
    await records.return({ envelope: {}, records: given })
  }
}

const STOPPED_HINT =
  'what was printed is whole records, but not all of them; run the command again, or ask for a shorter time'

/** What it means that a list ended with an error after so many of its records. */
function stoppedFailure(error: unknown, given: number, { failed, headers }: StreamedAnswer): unknown {
  if (!(error instanceof NetworkError || error instanceof RecordStreamError)) return error
  if (given === 0)
    return error instanceof NetworkError
      ? networkFailure(error, failed)
      : unreadableFailure(
          `the list cannot be read: ${error.message}`,
          { headers, text: null, status: failed.request.status ?? 0 },
          failed,
        )
  return new Failure('INCOMPLETE', `the list stopped after ${given} records: ${error.message}`, {
    hint: STOPPED_HINT,
    request: failed.request,
    details: { records: given },
    cause: error,
  })
}

/**
 * What a failure means to a list of which so many records were already given out: that it is incomplete. Anything else, and a
 * failure before the first record, stays what it is.
 */
export function toIncomplete(error: unknown, given: number): unknown {
  if (given === 0 || !(error instanceof Failure)) return error
  if (error.code === 'INCOMPLETE' || error.code === 'INTERRUPTED' || error.code === 'OUTCOME_UNKNOWN') return error
  return new Failure('INCOMPLETE', joinSaid(`the list stopped after ${given} records`, error.words), {
    said: error.said,
    hint: error.hint ?? STOPPED_HINT,
    request: error.request,
    details: { records: given, code: error.code },
    cause: error,
  })
}
