import { formatCount } from '../../base/counted.ts'
import { Failure, joinSaid } from '../../base/failure/failure.ts'
import type { JsonObject, JsonValue } from '../../base/json/exact.ts'
import { readRecords } from '../../base/json/list/read-records.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { RecordStreamError } from '../../base/json/record-stream-error.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LIST_MEMBERS } from '../../contract/shapes/pages.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { DialectTranslator } from '../shapes/dialect-translator.ts'
import { EMPTY_ANSWER } from './call.ts'
import type { Caller } from './caller.ts'
import { networkFailure, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type Sent, send } from './send.ts'

/**
 * Returns the names of the members that may contain the list. `listMember` comes from an accepted difference or the
 * contract. `otherMembers` are common names to try if the response format is only assumed.
 */
export function getListOptions(
  { id, list, standing }: Pick<Endpoint, 'id' | 'list' | 'standing'>,
  translator?: DialectTranslator,
) {
  const known = translator?.listMember(id)
  const listMember = known === undefined ? (list?.member ?? null) : known || null
  return { listMember, otherMembers: standing === 'documented' ? undefined : LIST_MEMBERS }
}

/** The part of a list that a single response contains. */
export interface Part {
  /** The total number of records in earlier parts. */
  readonly before?: number
  /** Whether the response is one page of a list. If so, its record count may cover the whole list. */
  readonly isPage?: boolean
  readonly onHead?: (headers: Readonly<Record<string, string>>) => void
}

/**
 * Streams the records in one response and returns the other members of the response. Records are exactly as they were
 * received, unless a translator adapts them to the contract. Throws INCOMPLETE if the list ends early. Also throws any
 * error from the request.
 */
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
  const records = readRecords(reply.body, getListOptions(endpoint, caller.translator))
  const inForm = caller.translator?.translateRecord ?? null
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

/** The maximum size of a list that is read into memory, in characters. Other responses have the same limit. */
const MAX_HELD = 16 * 1024 * 1024

/**
 * Reads a whole list into memory. Throws SERVICE_ERROR if it is larger than 16 MiB. Also throws any error from
 * `batches`.
 */
export async function collect(batches: AsyncIterable<readonly WireRecord[]>): Promise<readonly JsonValue[]> {
  const records: JsonValue[] = []
  let size = 0
  for await (const batch of batches) {
    for (const { text } of batch) size += text.length
    if (size > MAX_HELD)
      throw new Failure('SERVICE_ERROR', 'the response is larger than 16 MiB', { hint: 'request a shorter period' })
    for (const { value } of batch) records.push(value)
  }
  return records
}

const COUNT_MEMBERS = ['length', 'count', 'total']

/**
 * Returns the number of records that the response reports, or `null` if it reports none. If it reports several numbers,
 * returns the largest, because smaller ones may count only one page.
 */
export function readStatedCount(envelope: JsonObject): number | null {
  const stated = COUNT_MEMBERS.map((member) => envelope[member]).filter(Number.isSafeInteger) as number[]
  return stated.length === 0 ? null : Math.max(...stated)
}

function requireAll({ envelope, records }: ListEnd, before: number, { call }: Sent): void {
  const stated = readStatedCount(envelope)
  if (stated === null || stated <= records) return
  throw new Failure('INCOMPLETE', `the service reported ${stated} records, but sent ${records}`, {
    hint: STOPPED_HINT,
    request: call.request,
    details: { records: before + records },
  })
}

const STOPPED_HINT =
  'every printed record is complete, but some are missing; run the command again, or request a shorter period'

function explainStop(error: unknown, given: number, { call, reply }: Sent): unknown {
  if (!(error instanceof NetworkError || error instanceof RecordStreamError)) return error
  if (given > 0)
    return new Failure('INCOMPLETE', `${describeStop(given)}: ${error.message}`, {
      hint: STOPPED_HINT,
      request: call.request,
      details: { records: given },
      cause: error,
    })
  if (error instanceof NetworkError) return networkFailure(error, call)
  return unreadableFailure(`the list cannot be read: ${error.message}`, reply, call)
}

/** Converts a failure to INCOMPLETE if records were received before it. Returns other errors unchanged. */
export function toIncomplete(error: unknown, given: number): unknown {
  if (given === 0 || !(error instanceof Failure)) return error
  if (error.code === 'INCOMPLETE' || error.code === 'INTERRUPTED' || error.code === 'OUTCOME_UNKNOWN') return error
  return new Failure('INCOMPLETE', joinSaid(describeStop(given), error.words), {
    said: error.said,
    hint: error.hint ?? STOPPED_HINT,
    request: error.request,
    details: { records: given, code: error.code },
    cause: error,
  })
}

export function describeStop(given: number): string {
  return `the list stopped after ${formatCount(given, 'record')}`
}
