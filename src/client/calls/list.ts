import { counted } from '../../base/counted.ts'
import { Failure, joinSaid } from '../../base/failure/failure.ts'
import type { JsonObject, JsonValue } from '../../base/json/exact.ts'
import { readRecords } from '../../base/json/list/read-records.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { RecordStreamError } from '../../base/json/record-stream-error.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LIST_MEMBERS } from '../../contract/shapes/pages.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { Following } from '../shapes/follow.ts'
import { EMPTY_ANSWER } from './call.ts'
import type { Caller } from './caller.ts'
import { networkFailure, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type Sent, send } from './send.ts'

/** Reads the documented or known list member, or any usual one if the shape is assumed. */
export function listOptions({ id, list, standing }: Pick<Endpoint, 'id' | 'list' | 'standing'>, following?: Following) {
  const known = following?.listMember(id)
  const listMember = known === undefined ? (list?.member ?? null) : known || null
  return { listMember, otherMembers: standing === 'documented' ? undefined : LIST_MEMBERS }
}

/** The part of a list that a response contains. */
export interface Part {
  readonly before?: number
  /** Whether more pages follow, so that a count may be that of the whole list. */
  readonly isPage?: boolean
  readonly onHead?: (headers: Readonly<Record<string, string>>) => void
}

/** Streams one response's records as sent; returns the members next to the list. Fails: as `call`; INCOMPLETE. */
export async function* streamList<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  { before = 0, isPage = false, onHead }: Part = {},
): AsyncGenerator<readonly WireRecord[], ListEnd, undefined> {
  const answer = await send(caller, endpoint, input, { stream: true })
  const { reply, call } = answer
  if (reply.body === null) throw unreadableFailure(EMPTY_ANSWER, reply, call)
  onHead?.(reply.headers)
  const records = readRecords(reply.body, listOptions(endpoint, caller.following))
  const inForm = caller.following?.record ?? null
  let given = 0
  try {
    for (;;) {
      const step = await records.next()
      if (step.done) {
        if (!isPage) requireAll(step.value, before, answer)
        return step.value
      }
      yield inForm ? step.value.map(({ text }) => new WireRecord(inForm(text))) : step.value
      given += step.value.length
    }
  } catch (error) {
    throw explainStop(error, before + given, answer)
  } finally {
    await records.return({ envelope: {}, records: given })
  }
}

/** The largest list in memory, in characters; the same limit as for other responses. */
const MAX_HELD = 16 * 1024 * 1024

/** Reads a whole list into memory. Fails: SERVICE_ERROR above 16 MiB; as the list does. */
export async function collect(batches: AsyncIterable<readonly WireRecord[]>): Promise<readonly JsonValue[]> {
  const records: JsonValue[] = []
  let size = 0
  for await (const batch of batches) {
    for (const { text } of batch) size += text.length
    if (size > MAX_HELD)
      throw new Failure('SERVICE_ERROR', 'the answer is larger than 16 MiB', { hint: 'ask for a shorter time' })
    for (const { value } of batch) records.push(value)
  }
  return records
}

const COUNT_MEMBERS = ['length', 'count', 'total']

/** The stated number of records, or null. The largest counts, because others may be about a page. */
export function statedCount(envelope: JsonObject): number | null {
  const stated = COUNT_MEMBERS.map((member) => envelope[member]).filter(Number.isSafeInteger) as number[]
  return stated.length === 0 ? null : Math.max(...stated)
}

function requireAll({ envelope, records }: ListEnd, before: number, { call }: Sent): void {
  const stated = statedCount(envelope)
  if (stated === null || stated <= records) return
  throw new Failure('INCOMPLETE', `the service says that there are ${stated}, but its answer gave ${records}`, {
    hint: STOPPED_HINT,
    request: call.request,
    details: { records: before + records },
  })
}

const STOPPED_HINT =
  'what was printed is whole records, but not all of them; run the command again, or ask for a shorter time'

function explainStop(error: unknown, given: number, { call, reply }: Sent): unknown {
  if (!(error instanceof NetworkError || error instanceof RecordStreamError)) return error
  if (given > 0)
    return new Failure('INCOMPLETE', `${stoppedAfter(given)}: ${error.message}`, {
      hint: STOPPED_HINT,
      request: call.request,
      details: { records: given },
      cause: error,
    })
  if (error instanceof NetworkError) return networkFailure(error, call)
  return unreadableFailure(`the list cannot be read: ${error.message}`, reply, call)
}

/** Turns a failure after the first record into INCOMPLETE. Leaves other errors as they are. */
export function toIncomplete(error: unknown, given: number): unknown {
  if (given === 0 || !(error instanceof Failure)) return error
  if (error.code === 'INCOMPLETE' || error.code === 'INTERRUPTED' || error.code === 'OUTCOME_UNKNOWN') return error
  return new Failure('INCOMPLETE', joinSaid(stoppedAfter(given), error.words), {
    said: error.said,
    hint: error.hint ?? STOPPED_HINT,
    request: error.request,
    details: { records: given, code: error.code },
    cause: error,
  })
}

export function stoppedAfter(given: number): string {
  return `the list stopped after ${counted(given, 'record')}`
}
