import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { hasOffset, parseWireTime } from '../../base/time/wire-time.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller } from './caller.ts'
import { streamList, toIncomplete } from './list.ts'
import type { CallInput } from './prepare.ts'

/** A request for a piece of a time range. */
export interface Piece<E extends Endpoint = Endpoint> {
  readonly input: CallInput<E>
  /** Where the piece ends and the next one begins, in epoch milliseconds. */
  readonly endMs: number
}

/** How records that lie where two pieces meet are told apart. */
export interface Seam {
  /** The member by whose time the service picks records. */
  readonly time: string
  /** The members that together name a record. */
  readonly identity: readonly string[]
}

/**
 * Streams the records of a time range that is asked for in pieces. Pieces share the instant at which they meet, so that nothing
 * falls between them; a record that lies on it is given once. Memory grows with neither the pieces nor their records: only
 * those that may lie where the piece ends are remembered.
 * Fails: as `streamList`; after the first record INCOMPLETE.
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
          if (mayLieOn(record.value, endMs, seam)) atEnd.add(identity)
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

/** Services may write fewer digits than they compare. */
const TOLERANCE_MS = 1000
/** The offset of every time zone is a multiple of this. */
const QUARTER_MS = 15 * 60_000
/** No two time zones are further apart. */
const FARTHEST_MS = 26 * 3_600_000

/** Whether a record may lie on an instant. A time without an offset is on a clock that is not known here. */
function mayLieOn(record: JsonValue, instantMs: number, { time }: Seam): boolean {
  const text = isJsonObject(record) ? record[time] : null
  if (typeof text !== 'string') return true
  const ms = parseWireTime(text)
  if (Number.isNaN(ms)) return true
  const distance = Math.abs(ms - instantMs)
  if (hasOffset(text)) return distance <= TOLERANCE_MS
  const beyondQuarter = distance % QUARTER_MS
  return distance <= FARTHEST_MS && Math.min(beyondQuarter, QUARTER_MS - beyondQuarter) <= TOLERANCE_MS
}
