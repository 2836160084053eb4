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
 * Streams the records of a list that comes in one answer. Yields batches, each record as the text that was sent; returns
 * what stands beside the list. Memory does not grow with the list.
 * Fails: before the first record like `call`; after it INCOMPLETE.
 * @param before how many records of the same list earlier pages gave.
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
    throw explainStop(error, before + given, answer)
  } finally {
    await records.return({ envelope: {}, records: given })
  }
}

const STOPPED_HINT =
  'what was printed is whole records, but not all of them; run the command again, or ask for a shorter time'

/** Explains an error that stopped a list after `given` records. */
function explainStop(error: unknown, given: number, { call, headers }: StreamedAnswer): unknown {
  if (!(error instanceof NetworkError || error instanceof RecordStreamError)) return error
  if (given > 0)
    return new Failure('INCOMPLETE', `the list stopped after ${given} records: ${error.message}`, {
      hint: STOPPED_HINT,
      request: call.request,
      details: { records: given },
      cause: error,
    })
  if (error instanceof NetworkError) return networkFailure(error, call)
  return unreadableFailure(`the list cannot be read: ${error.message}`, { headers }, call)
}

/** Turns a failure after `given` records into INCOMPLETE. Other errors, and failures before the first record, stay as they are. */
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
