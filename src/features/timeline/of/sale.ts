import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { describeRange } from '../../../base/time/range-words.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import type { TimeRange } from '../../../base/time/window.ts'
import { isSameService } from '../../../client/same-service.ts'
import type { Operation } from '../../../money/operations/operation.ts'
import { parseSaleKey } from '../../../money/sale-search.ts'
import { bookingEntries } from '../booking.ts'
import { searchCopies } from '../copies.ts'
import type { Entry, Seen } from '../entry.ts'
import { bookingIn, operationEntries } from '../operations.ts'
import { bookingsOf, collectBookingFacts, countUndatedSales, saleEntries } from '../sales.ts'
import { attemptRead, incompleteFailure, readBooking, searchSales } from '../service.ts'
import { type Timeline, type TimelineSources, withDeliveries } from '../timeline.ts'
import { instantIn } from '../values.ts'
import { countUndated, versionEntries } from '../versions.ts'
import { findNewest } from './booking.ts'

/** How far back, in milliseconds, to search for a sale if nothing is known about its time. */
const DEFAULT_SEARCH_MS = 7 * DAY_MS
const MOST_BOOKINGS = 5

/**
 * Builds the timeline of a sale and its booking. `id` is the sale's ID in the POS. Throws the same errors as
 * `timelineOfBooking`.
 */
export async function timelineOfSale(id: string, sources: TimelineSources): Promise<Timeline> {
  const { caller, store, service } = sources
  const copied = await searchCopies(sources, { ids: new Set([id]), kinds: ['sale', 'booking'] })
  const copies = copied.records.filter(({ kind }) => kind === 'sale')
  const operations = store
    .list()
    .filter((one) => isSameService(one.service, service) && one.target === id)
    .toArray()
  const searched = sources.salesRange ?? likelyRange(copies, operations, sources.nowMs)
  const listed = await attemptRead(() => searchSales(caller, searched, { saleId: id }))
  const found = listed instanceof Failure ? [] : listed.map((record) => ({ record, where: null }))
  const sales: Seen[] = [...copies, ...found]
  const own = operations.map(bookingIn).filter((bookingId) => bookingId !== null)
  const ids = [...new Set([...bookingsOf(sales), ...own])].slice(0, MOST_BOOKINGS)
  const bookings = await readBookings(ids, sources, listed instanceof Failure)
  const entries: Entry[] = [
    ...bookings.entries,
    ...operationEntries(operations),
    ...saleEntries(sales, collectBookingFacts(bookings.newest, bookings.missing)),
  ]
  const unlisted =
    listed instanceof Failure || found.length > 0 ? null : notListedFailure(id, searched, sources.timezone)
  return {
    entries: await withDeliveries(entries, sources, { subjects: new Set(ids), locationId: null }),
    failure: (listed instanceof Failure ? listed : null) ?? unlisted ?? bookings.failure,
    searched,
    undated: countUndatedSales(sales) + bookings.undated,
  }
}

/**
 * Reads the bookings that a sale is linked to, from copies and from the service. Sends no requests if the service is
 * down.
 */
async function readBookings(ids: readonly string[], sources: TimelineSources, isDown: boolean) {
  const sought = { ids: new Set(ids), kinds: ['booking'], isOptional: true } as const
  const copied = ids.length === 0 ? [] : (await searchCopies(sources, sought)).records
  const entries: Entry[] = []
  const newest: [string, JsonObject][] = []
  const missing: string[] = []
  let failure: Failure | null = null
  let count = 0
  for (const id of ids) {
    const read = isDown ? null : await readBooking(sources.caller, id)
    const seen: Seen[] = copied.filter(({ record }) => record['bookingId'] === id)
    if (!(read instanceof Failure)) seen.push(...(read === null ? [] : [{ record: read, where: null }]))
    else if (read.code === 'NOT_FOUND') missing.push(id)
    else failure ??= incompleteFailure(`its booking ${id} could not be read`, read)
    const last = findNewest(seen)
    if (last === null) continue
    newest.push([id, last.record])
    entries.push(...bookingEntries(id, last, sources.timezone), ...versionEntries(id, seen))
    count += countUndated(seen)
  }
  return { entries, newest, missing, failure, undated: count }
}

/**
 * Returns the period to search for a sale, from one day before its earliest known time to one day after its latest. If
 * no time is known, the period covers the last few days.
 */
function likelyRange(copies: readonly Seen[], operations: readonly Operation[], nowMs: number): TimeRange {
  const times = [
    ...copies.map(({ record }) => instantIn(record, 'saleDetail.transactionDateTime')),
    ...operations.flatMap((one) => [parseSaleKey(one.before).openedAt, one.startedAt]),
  ].filter((ms) => ms !== null)
  if (times.length === 0) return { fromMs: nowMs - DEFAULT_SEARCH_MS, toMs: nowMs + DAY_MS }
  return { fromMs: Math.min(...times) - DAY_MS, toMs: Math.max(...times) + DAY_MS }
}

function notListedFailure(id: string, range: TimeRange, timezone: string | null): Failure {
  const words = `the service lists no sale ${JSON.stringify(id)} that was closed ${describeRange(range, timezone)}`
  return new Failure('NOT_FOUND', words, {
    hint: 'search a different period: --from TIME --to TIME; only sales that GET /Sales lists can be found',
  })
}
