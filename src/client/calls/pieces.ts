import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { hasOffset, parseWireTime } from '../../base/time/wire-time.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller } from './caller.ts'
import { streamList, toIncomplete } from './list.ts'
import type { CallInput } from './prepare.ts'

/** A part of a time range, which is read with one request. */
export interface Piece<E extends Endpoint = Endpoint> {
  readonly input: CallInput<E>
  /** The start of the next piece, in epoch milliseconds. */
  readonly endMs: number
}

/** The members that identify a record that occurs in two adjacent pieces. */
export interface Seam {
  /** The name of the member that the time range applies to. */
  readonly time: string
  /** The members that identify a record. The first is its ID. */
  readonly identity: readonly string[]
}

/**
 * Streams the records of a time range piece by piece. Each piece starts exactly where the previous piece ended, so that
 * no record is missed. A record that occurs in two adjacent pieces is yielded only once. Only records near the end of a
 * piece are remembered. Throws INCOMPLETE if a request fails after the first record. Also throws any error from
 * `streamList`.
 */
export async function* streamPieces<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  pieces: Iterable<Piece<E>>,
  seam: Seam,
): AsyncGenerator<readonly WireRecord[], void, undefined> {
  let earlier: ReadonlySet<string> = new Set()
  let given = 0
  for (const { input, endMs } of pieces) {
    const atEnd = new Set<string>()
    try {
      for await (const batch of streamList(caller, endpoint, input, { before: given })) {
        const fresh = batch.filter((record) => {
          const identity = identityOf(record, seam)
          if (mayBeAt(record.value, endMs, seam)) atEnd.add(identity)
          return !earlier.has(identity)
        })
        given += fresh.length
        if (fresh.length > 0) yield fresh
      }
    } catch (error) {
      throw toIncomplete(error, given)
    }
    earlier = atEnd
  }
}

function identityOf({ value, text }: WireRecord, { identity: [id = '', ...others] }: Seam): string {
  if (!isJsonObject(value) || typeof value[id] !== 'string') return text
  return JSON.stringify([value[id], ...others.map((member) => value[member] ?? null)])
}

/** The tolerance for times at the end of a piece. The service may compare times more precisely than it reports them. */
const TOLERANCE_MS = 1000
/** Time zone offsets are multiples of 15 minutes. */
const QUARTER_MS = 15 * 60_000
const FARTHEST_MS = 26 * 3_600_000

/** Returns whether a record's time could be the given instant. A time without an offset could be in any time zone. */
function mayBeAt(record: JsonValue, instantMs: number, { time }: Seam): boolean {
  const text = isJsonObject(record) ? record[time] : null
  if (typeof text !== 'string') return true
  const ms = parseWireTime(text)
  if (Number.isNaN(ms)) return true
  const distance = Math.abs(ms - instantMs)
  if (hasOffset(text)) return distance <= TOLERANCE_MS
  const beyondQuarter = distance % QUARTER_MS
  return distance <= FARTHEST_MS && Math.min(beyondQuarter, QUARTER_MS - beyondQuarter) <= TOLERANCE_MS
}
