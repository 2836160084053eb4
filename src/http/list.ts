import type { Endpoint } from '../contract/endpoint.ts'
import { Failure } from '../failure/failure.ts'
import { RecordStreamError } from '../json/record-stream-error.ts'
import { readRecords } from '../json/records.ts'
import { type Caller, callStreamed } from './call.ts'
import { NetworkError } from './errors.ts'
import type { CallInput } from './prepare.ts'
import { brokenBy, type FailedCall, unreadable } from './refused.ts'

/**
 * The records of a list that comes in one answer, in batches, each record as the text that was sent. Memory does not grow with the list.
 * Fails: the cause when nothing was given out yet, INCOMPLETE afterwards.
 */
export async function* listed<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
): AsyncGenerator<readonly string[]> {
  const answer = await callStreamed(caller, endpoint, input)
  let given = 0
  try {
    for await (const batch of readRecords(answer.body, { listMember: endpoint.list?.member ?? null })) {
      yield batch
      given += batch.length
    }
  } catch (error) {
    throw stoppedBy(error, given, answer.failed)
  }
}

/** What it means that a list ended with an error after so many of its records. */
function stoppedBy(error: unknown, given: number, failed: FailedCall): unknown {
  if (!(error instanceof NetworkError || error instanceof RecordStreamError)) return error
  if (given === 0)
    return error instanceof NetworkError
      ? brokenBy(error, failed)
      : unreadable(
          `the list cannot be read: ${error.message}`,
          { headers: {}, text: null, status: failed.request.status ?? 0 },
          failed,
        )
  return new Failure('INCOMPLETE', `the list stopped after ${given} records: ${error.message}`, {
    hint: 'what was printed is whole records, but not all of them; run the command again, or ask for a shorter time',
    request: failed.request,
    details: { records: given },
    cause: error,
  })
}
