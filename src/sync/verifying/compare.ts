import { Failure } from '../../base/failure/failure.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { call } from '../../client/calls/call.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import type { Target } from '../copy.ts'
import { type Reading, readWindow } from '../reading/read-window.ts'
import { toSyncRecord } from '../reading/sync-record.ts'
import { topStrings } from '../reading/top-members.ts'
import type { SyncRecord } from '../record.ts'
import { FIRST_WINDOW_MS, nextWindowMs } from '../running/windows.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { CopyIndex, hasSameContent, keyOf } from './copy-index.ts'

export interface CompareOptions {
  readonly reading: Reading
  readonly target: Target
  /** The copy must have every change before this time, in epoch milliseconds. */
  readonly cursorMs: number
  /** The start of the first sync's range, in epoch milliseconds. Undefined if unknown. */
  readonly sinceMs: number | undefined
  /** The booking times to compare, or `null` to compare all bookings. */
  readonly booked: TimeRange | null
  readonly timezone: string | null
  readonly signal: AbortSignal
}

/**
 * How a record can differ: the copy lacks it, the copy has a different version of it, or the service does not have it.
 */
export type DifferenceKind = 'missing' | 'stale' | 'extra'

/**
 * A difference between the copy and the service. `record` is the service's version, or the copy's version if the record
 * is extra.
 */
export interface Difference {
  readonly kind: DifferenceKind
  readonly record: SyncRecord
  /** The record's position in the service's list. Differences are sorted by it. Unlisted records come last. */
  readonly place: number
}

/**
 * The maximum number of uncertain records to compare one by one. If there are more, the contents of all records are
 * hashed.
 */
const MOST_UNSURE = 1000

export interface Comparison {
  compared: number
  notDue: number
  requests: number
}

/**
 * Yields differences in any order without locking the copy. Counts records in `tally`. Throws Interrupted, or an error
 * from the copy or from `readWindow`.
 */
export async function* compare(
  options: CompareOptions,
  tally: Comparison,
): AsyncGenerator<Difference, void, undefined> {
  const { target, reading, cursorMs, booked, signal, timezone } = options
  const index = new CopyIndex(target.hashOf)
  const isBooked = bookedWithin(booked, timezone)
  const isDue = ({ changedMs }: SyncRecord) => changedMs === null || changedMs < cursorMs
  const sinceMs = options.sinceMs ?? cursorMs
  let earliestMs = sinceMs
  for await (const batch of target.records('outline')) {
    signal.throwIfAborted()
    for (const record of batch) {
      index.addCopied(record, isBooked(record), isDue(record))
      earliestMs = Math.min(earliestMs, record.changedMs ?? earliestMs)
    }
  }
  if (booked === null && earliestMs < sinceMs) earliestMs = await earliestChange(target, sinceMs)
  const range = booked ?? { fromMs: earliestMs, toMs: null }
  const unsure = new Map<string, Difference>()
  for await (const batch of readAll(booked === null ? reading : byBookingTime(reading), range, signal, tally)) {
    signal.throwIfAborted()
    for (const record of batch) {
      if (index.recognizes(record)) tally.compared++
      else if (!isDue(record)) {
        tally.notDue++
        index.markMet(record)
      } else {
        const difference = { kind: 'stale', record: plain(record), place: tally.compared++ } as const
        const kind = index.compareDue(record)
        if (kind === 'unsure') unsure.set(keyOf(record), difference)
        else if (kind === 'missing' && unsure.size > 0) unsure.set(keyOf(record), { ...difference, kind })
        else if (kind !== 'same') yield { ...difference, kind }
      }
    }
    if (unsure.size < MOST_UNSURE) continue
    index.compareContents()
    const differing: Difference[] = []
    for await (const copied of target.records())
      for (const record of copied) {
        index.addContent(record)
        differing.push(...staleAmong(unsure, record))
      }
    yield* inOrder(differing, unsure)
    unsure.clear()
  }
  if (index.unmet === 0 && unsure.size === 0) return
  const isFew = !index.comparesContents && index.unmet <= MOST_UNSURE
  const differing: Difference[] = []
  for await (const batch of isFew ? neededRecords(target, index) : target.records())
    for (const record of batch) {
      differing.push(...staleAmong(unsure, record))
      if (!index.isUnmet(record)) continue
      // Mark the record, because a log may contain the same version twice.
      index.markMet(record)
      const place = Number.MAX_SAFE_INTEGER
      // The booking may still exist at a time outside the compared range, so look it up.
      const found = booked === null ? null : await lookUp(reading, record, tally)
      if (found === null) yield { kind: 'extra', record: plain(record), place }
      else if (isDue(found) && !hasSameContent(record, found))
        differing.push({ kind: 'stale', record: plain(found), place })
    }
  yield* inOrder(differing, unsure)
}

/** Yields only the copy's records that the index needs. Selects them by their outlines, which are faster to read. */
async function* neededRecords(target: Target, index: CopyIndex): AsyncGenerator<readonly SyncRecord[]> {
  const keys: string[] = []
  for await (const batch of target.records('outline')) {
    const needed = batch.filter((record) => index.needs(record))
    if (target.hashOf === undefined) yield needed
    else keys.push(...needed.map(keyOf))
  }
  if (keys.length > 0) yield* target.records('newest', keys)
}

function plain({ text, id, changedMs, version }: SyncRecord): SyncRecord {
  return { text, id, changedMs, version }
}

/** Removes a record from `unsure`. Yields the difference if the contents differ. */
function* staleAmong(unsure: Map<string, Difference>, record: SyncRecord): Generator<Difference> {
  const difference = unsure.get(keyOf(record))
  if (difference?.kind !== 'stale') return
  unsure.delete(keyOf(record))
  if (!hasSameContent(record, difference.record)) yield difference
}

/** Returns the differences and the missing records in `waiting`, sorted by their `place`. */
function inOrder(differing: readonly Difference[], waiting: ReadonlyMap<string, Difference>): Difference[] {
  const missing = [...waiting.values()].filter(({ kind }) => kind === 'missing')
  return [...missing, ...differing].sort((one, other) => one.place - other.place)
}

/** Returns the earliest change date in the copy, in epoch milliseconds, or `atMost` if that is earlier. */
async function earliestChange(target: Target, atMost: number): Promise<number> {
  let earliestMs = atMost
  for await (const batch of target.records())
    for (const { changedMs } of batch) earliestMs = Math.min(earliestMs, changedMs ?? earliestMs)
  return earliestMs
}

/**
 * Returns a copy of `reading` that selects bookings by booking time instead of change date. Source: "GET /Bookings" in
 * the specification.
 */
export function byBookingTime(reading: Reading): Reading {
  const windowQuery = ({ fromMs, toMs }: TimeRange) => ({ StartDate: toWireTime(fromMs), EndDate: toWireTime(toMs) })
  return { ...reading, resource: { ...reading.resource, windowQuery } }
}

function bookedWithin(booked: TimeRange | null, timezone: string | null): (record: SyncRecord) => boolean {
  if (booked === null) return () => true
  const clock = new VenueClock(timezone ?? 'UTC')
  return ({ text }) => {
    const [wall] = topStrings(text, ['bookingTime']) ?? []
    if (wall === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(wall)) return false
    const ms = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(wall) ? wall : (clock.instantOf(wall) ?? ''))
    return ms >= booked.fromMs && ms <= booked.toMs
  }
}

/** Returns a booking as the service lists it, or `null` if the service has no booking with that ID. */
async function lookUp(reading: Reading, { id }: SyncRecord, tally: Comparison): Promise<SyncRecord | null> {
  let single: SyncRecord
  tally.requests++
  try {
    const { text } = await call(reading.caller, getBooking, { path: { id: id ?? '' } })
    single = toSyncRecord(text, reading.resource)
  } catch (error) {
    // An ID that is not valid in a path cannot come from the service.
    if (error instanceof Failure && ['NOT_FOUND', 'USAGE'].includes(error.code)) return null
    throw error
  }
  if (single.changedMs === null) return single
  tally.requests++
  for await (const batch of readWindow(reading, { fromMs: single.changedMs, toMs: single.changedMs })) {
    const listed = batch.find((record) => record.id === id)
    if (listed) return listed
  }
  return single
}

/**
 * Reads windows in order, so that a record that changes meanwhile is read again in a later window. If `toMs` is `null`,
 * reads up to the present, with a last window that ends a day in the future. Throws Interrupted, or an error from
 * `readWindow`.
 */
async function* readAll(
  reading: Reading,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number | null },
  signal: AbortSignal,
  tally: Comparison,
): AsyncGenerator<readonly SyncRecord[], void, undefined> {
  let lengthMs = FIRST_WINDOW_MS
  for (let startMs = fromMs; ; ) {
    signal.throwIfAborted()
    const range = { fromMs: startMs, toMs: endOf(startMs, lengthMs, toMs, reading.clock.nowMs) }
    const { askedAt, requests, records } = yield* readWindow(reading, range)
    tally.requests += requests
    if (range.toMs >= (toMs ?? askedAt.latestMs)) return
    lengthMs = nextWindowMs(lengthMs, records)
    startMs = range.toMs
  }
}

function endOf(startMs: number, lengthMs: number, toMs: number | null, nowMs: number): TimeRange['toMs'] {
  const endMs = startMs + lengthMs
  if (toMs !== null) return Math.min(endMs, toMs)
  return endMs >= nowMs ? Math.max(Math.ceil(nowMs), startMs) + DAY_MS : endMs
}
