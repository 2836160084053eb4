import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import type { TimeRange } from '../../../base/time/window.ts'
import { isSameService } from '../../../client/same-service.ts'
import { bookingEntries, getBookingTimeMs } from '../booking.ts'
import { searchCopies } from '../copies.ts'
import type { Entry, Seen } from '../entry.ts'
import { bookingIn, operationEntries } from '../operations.ts'
import { collectBookingFacts, countUndatedSales, saleEntries, saleIdOf } from '../sales.ts'
import { attemptRead, incompleteFailure, readBooking, searchSales } from '../service.ts'
import { type Timeline, type TimelineSources, withDeliveries } from '../timeline.ts'
import { instantIn, textIn } from '../values.ts'
import { countUndated, versionEntries } from '../versions.ts'

/**
 * Builds the timeline of a booking. Throws USAGE if a journal or copy is invalid. Also throws INTERNAL, Interrupted and
 * database errors.
 */
export async function timelineOfBooking(id: string, sources: TimelineSources): Promise<Timeline> {
  const { caller, timezone, store, service } = sources
  const copied = await searchCopies(sources, { ids: new Set([id]), kinds: ['booking', 'sale'] })
  const read = await readBooking(caller, id)
  const seen: Seen[] = [
    ...copied.records.filter(({ kind }) => kind === 'booking'),
    ...(read instanceof Failure ? [] : [{ record: read, where: null }]),
  ]
  const newest = findNewest(seen)
  const searched = sources.salesRange ?? (newest && likelySalesRange(newest.record, timezone))
  const failure = read instanceof Failure ? read : null
  const isRefused = failure !== null && failure.code !== 'NOT_FOUND'
  const listed =
    searched === null || isRefused ? [] : await attemptRead(() => searchSales(caller, searched, { bookingId: id }))
  const sales: Seen[] = [
    ...copied.records.filter(({ kind }) => kind === 'sale'),
    ...(listed instanceof Failure ? [] : listed.map((record) => ({ record, where: null }))),
  ]
  const saleIds = new Set(sales.map(({ record }) => saleIdOf(record)))
  const operations = store
    .list()
    .filter((one) => isSameService(one.service, service) && one.command === 'sales create')
    .filter((one) => saleIds.has(one.target) || bookingIn(one) === id)
    .toArray()
  const entries: Entry[] = [
    ...(newest === null ? [] : bookingEntries(id, newest, timezone)),
    ...versionEntries(id, seen),
    ...saleEntries(sales, collectBookingFacts(newest === null ? [] : [[id, newest.record]], [])),
    ...operationEntries(operations),
  ]
  const locationId = newest === null ? null : textIn(newest.record, 'locationId')
  return {
    entries: await withDeliveries(entries, sources, { subjects: new Set([id]), locationId }),
    failure:
      failure ?? (listed instanceof Failure ? incompleteFailure('its sales could not be looked up', listed) : null),
    searched: isRefused ? null : searched,
    undated: countUndated(seen) + countUndatedSales(sales),
  }
}

/**
 * Returns the version from the service, or else the most recently changed version. Returns `null` if there are no
 * versions.
 */
export function findNewest(seen: readonly Seen[]): Seen | null {
  const changed = ({ record }: Seen) => instantIn(record, 'lastModifiedDate') ?? Number.NEGATIVE_INFINITY
  return seen.find(({ where }) => where === null) ?? seen.toSorted((a, b) => changed(a) - changed(b)).at(-1) ?? null
}

/**
 * Returns the period to search for a booking's sales. It surrounds the booking's time, because guests usually pay when
 * they leave. Returns `null` if the booking has no time.
 */
function likelySalesRange(record: JsonObject, timezone: string | null): TimeRange | null {
  const atMs = getBookingTimeMs(record, timezone)
  return atMs === null ? null : { fromMs: atMs - DAY_MS, toMs: atMs + 2 * DAY_MS }
}
