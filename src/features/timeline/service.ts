import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../base/json/exact.ts'
import { toWireTime } from '../../base/time/instant.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { call } from '../../client/calls/call.ts'
import type { Caller } from '../../client/calls/caller.ts'
import { paginate } from '../../client/calls/paginate.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { getGiftCard } from '../../contract/giftcards.ts'
import { listSales } from '../../contract/sales.ts'
import { saleIdOf } from './sales.ts'
import { textIn } from './values.ts'

const MOST_RECORDS = 10_000

/** Reads a booking. Returns failures instead of throwing them, but throws Interrupted. */
export function readBooking(caller: Caller, id: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getBooking, { path: { id } })).value))
}

/** Reads a gift card. Returns failures instead of throwing them, but throws Interrupted. */
export function readCard(caller: Caller, cardNumber: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getGiftCard, { path: { cardNumber } })).value))
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/**
 * Calls `read`. Returns failures instead of throwing them, because other sources might still have entries. Throws
 * Interrupted.
 */
export async function attemptRead<T>(read: () => Promise<T>): Promise<T | Failure> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.code !== 'INTERRUPTED') return error
    throw error
  }
}

/** Returns an INCOMPLETE failure for a part of a timeline that could not be read. */
export function incompleteFailure(what: string, failure: Failure): Failure {
  const { hint, request, said, details } = failure
  const words = failure.words === '' ? what : `${what}: ${failure.words}`
  return new Failure('INCOMPLETE', words, { hint, request, said, details, cause: failure })
}

/**
 * Returns the sales that have the booking ID or the sale ID, and all sales that share an ID with one of them. Throws
 * INCOMPLETE if the period has too many sales. Also throws if a request fails.
 */
export async function searchSales(
  caller: Caller,
  range: TimeRange,
  sought: { readonly bookingId?: string; readonly saleId?: string },
): Promise<JsonObject[]> {
  const query = { StartDate: toWireTime(range.fromMs), EndDate: toWireTime(range.toMs) }
  const all: { readonly saleId: string; readonly bookingId: string | null; readonly record: JsonObject }[] = []
  let count = 0
  for await (const batch of paginate(caller, listSales, { query }, { pageSize: 100, limit: MOST_RECORDS }))
    for (const { value: record } of batch) {
      count++
      const saleId = isJsonObject(record) ? saleIdOf(record) : null
      if (saleId !== null && isJsonObject(record))
        all.push({ saleId, bookingId: textIn(record, 'bookingId'), record: pickNeededMembers(record) })
    }
  if (count >= MOST_RECORDS)
    throw new Failure('INCOMPLETE', `only the first ${MOST_RECORDS} sales in that period were searched`, {
      hint: 'search a shorter period: --from TIME --to TIME',
    })
  const ids = new Set(
    all.filter((one) => one.saleId === sought.saleId || one.bookingId === sought.bookingId).map(({ saleId }) => saleId),
  )
  return all.filter(({ saleId }) => ids.has(saleId)).map(({ record }) => record)
}

/** Drops the members that a timeline does not need, to save memory. */
function pickNeededMembers(record: JsonObject): JsonObject {
  const { bookingId, tables, saleDetail } = record
  const { items: _items, ...detail } = isJsonObject(saleDetail) ? saleDetail : {}
  return { bookingId, tables, saleDetail: detail }
}
