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
import { CopyIndex } from './copy-index.ts'

interface WholeReading {
  readonly reading: Reading
  readonly fromMs: number
  /** Null: up to the service's present. */
  readonly toMs: number | null
  readonly signal: AbortSignal
}

/** What is compared. */
export interface Compared {
  readonly reading: Reading
  readonly target: Target
  /** All that changed before it is due in the copy. Epoch milliseconds. */
  readonly cursorMs: number
  /** Where the first sync began; undefined: nobody noted it. Epoch milliseconds. */
  readonly sinceMs: number | undefined
  /** Only bookings that are booked for this time; null: all. */
  readonly booked: TimeRange | null
  /** The zone of the venue; null where nobody knows it. */
  readonly timezone: string | null
  readonly signal: AbortSignal
}

/** How a record differs: the copy lacks it, has another version of it, or has it and the service does not. */
export type DifferenceKind = 'missing' | 'stale' | 'extra'

/** A record that differs: as the service has it, and one too many as the copy has it. */
export interface Difference {
  readonly kind: DifferenceKind
  readonly record: SyncRecord
}

/** How a comparison went. */
export interface Comparison {
  /** Records of the service that were due in the copy. */
  readonly compared: number
  /** Records that changed after the copy's cursor. */
  readonly notDue: number
  readonly requests: number
}

/**
 * Reads the service and compares it with a copy, which is not held: a sync may go on meanwhile. Yields what differs.
 * Fails: as the copy and `readWindow` do; Interrupted. A comparison that fails says nothing.
 */
export async function* compare(asked: Compared): AsyncGenerator<Difference, Comparison, undefined> {
  const { target, cursorMs, booked, signal, timezone } = asked
  const index = new CopyIndex()
  const isBooked = bookedWithin(booked, timezone)
  let earliestMs = asked.sinceMs ?? cursorMs
  for await (const batch of target.records()) {
    signal.throwIfAborted()
    for (const record of batch) {
      index.take(record, isBooked(record))
      earliestMs = Math.min(earliestMs, record.changedMs ?? earliestMs)
    }
  }
  let [compared, notDue] = [0, 0]
  const isDue = ({ changedMs }: SyncRecord) => changedMs === null || changedMs < cursorMs
  const batches = readAll(
    booked === null
      ? { reading: asked.reading, fromMs: earliestMs, toMs: null, signal }
      : { reading: byBookingTime(asked.reading), ...booked, signal },
  )
  let requests = 0
  try {
    for (let step = await batches.next(); ; step = await batches.next()) {
      if (step.done) {
        requests = step.value
        break
      }
      for (const record of step.value) {
        if (isDue(record)) {
          compared++
          const kind = index.judge(record)
          if (kind !== 'same') yield { kind, record }
        } else {
          notDue++
          index.meet(record)
        }
      }
    }
  } finally {
    await batches.return(0)
  }
  for await (const batch of target.records())
    for (const record of batch) {
      if (!index.isUnmet(record)) continue
      // One that is booked for another time by now did not come with this one.
      const found = booked === null ? null : await lookUp(asked.reading, record)
      if (found !== null) requests += found.requests
      if (found === null || found.record === null) yield { kind: 'extra', record }
      else if (isDue(found.record) && index.judge(found.record) === 'stale')
        yield { kind: 'stale', record: found.record }
    }
  return { compared, notDue, requests }
}

/** Reads by the time that bookings are booked for. Source: "GET /Bookings". */
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

/** A booking as the list of the service has it; `record` null: there is none by that ID. */
async function lookUp(reading: Reading, { id }: SyncRecord) {
  let single: SyncRecord
  try {
    const { text } = await call(reading.caller, getBooking, { path: { id: id ?? '' } })
    single = toSyncRecord(text, reading.resource)
  } catch (error) {
    // An ID that no path can hold was never the service's.
    if (error instanceof Failure && ['NOT_FOUND', 'USAGE'].includes(error.code)) return { record: null, requests: 1 }
    throw error
  }
  if (single.changedMs === null) return { record: single, requests: 1 }
  for await (const batch of readWindow(reading, { fromMs: single.changedMs, toMs: single.changedMs })) {
    const listed = batch.find((record) => record.id === id)
    if (listed) return { record: listed, requests: 2 }
  }
  return { record: single, requests: 2 }
}

/**
 * Yields batches, and returns how many requests it took. The windows go forward, so that a record that changes meanwhile comes with a
 * later one; the last of an open end reaches a day into the future. A record may come more than once.
 * Fails: as `readWindow`; Interrupted.
 */
async function* readAll({ reading, fromMs, toMs, signal }: WholeReading) {
  let lengthMs = FIRST_WINDOW_MS
  let requests = 0
  for (let startMs = fromMs; ; ) {
    const range = { fromMs: startMs, toMs: endOf(startMs, lengthMs, toMs, reading.clock.nowMs) }
    const batches = readWindow(reading, range)
    let records = 0
    try {
      for (;;) {
        signal.throwIfAborted()
        const step = await batches.next()
        if (step.done) {
          requests += step.value.requests
          if (range.toMs >= (toMs ?? step.value.askedAt.latestMs)) return requests
          break
        }
        records += step.value.length
        yield step.value satisfies readonly SyncRecord[]
      }
    } finally {
      // An answer that nobody reads to the end would keep the process alive.
      await batches.return({ askedAt: { earliestMs: 0, latestMs: 0 }, requests: 0 })
    }
    lengthMs = nextWindowMs(lengthMs, records)
    startMs = range.toMs
  }
}

function endOf(startMs: number, lengthMs: number, toMs: number | null, nowMs: number): TimeRange['toMs'] {
  const endMs = startMs + lengthMs
  if (toMs !== null) return Math.min(endMs, toMs)
  return endMs >= nowMs ? Math.max(Math.ceil(nowMs), startMs) + DAY_MS : endMs
}
