import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { readBookingTime, readUtcTime, secondsOnly } from '../../../base/time/booking-time.ts'
import { isLocalTime } from '../../../base/time/calendar.ts'
import { type Clock, parseInstant } from '../../../base/time/instant.ts'
import { localToInstant } from '../../../base/time/zone.ts'
import { TAKEN_OUT, type TypedMembers } from '../../../terminal/input/body.ts'
import { Problems } from '../../../terminal/input/problems.ts'

/** The two times as they were typed. */
export interface TimeFlags {
  readonly time?: string | undefined
  readonly 'time-utc'?: string | undefined
}

/**
 * Reads the one time that is sent, as members of the body, with notes for the user. The other is taken out wherever it stands, as the service heeds `bookingTimeAsUtc` before
 * `time`. What cannot be read becomes a problem, and stays as it was typed.
 */
export function readTimeFlags(
  { time, 'time-utc': utc }: TimeFlags,
  clock: Clock,
  problems: Problems,
): { readonly members: TypedMembers; readonly notes: readonly string[] } {
  const { now } = clock
  const local =
    time === undefined ? undefined : problems.check(() => readBookingTime(time, { ...clock, flag: '--time' }))
  const inUtc = utc === undefined ? undefined : problems.check(() => readUtcTime(utc, { now, flag: '--time-utc' }))
  const notes = [local?.note].filter((note) => typeof note === 'string')
  if (utc !== undefined) {
    const both = time === undefined ? [] : ['--time-utc is sent; --time is ignored']
    return { members: { bookingTimeAsUtc: inUtc?.text ?? utc, time: TAKEN_OUT }, notes: both }
  }
  if (time === undefined) return { members: {}, notes }
  if (local?.member === 'bookingTimeAsUtc') return { members: { bookingTimeAsUtc: local.text, time: TAKEN_OUT }, notes }
  return { members: { bookingTimeAsUtc: TAKEN_OUT, time: local?.text ?? time }, notes }
}

/** The body with the time in place of the one that it has. */
export function withTime(body: JsonObject, members: TypedMembers): JsonObject {
  const given = Object.entries(members)
  if (given.length === 0) return body
  const kept = Object.entries(body).filter(([name]) => !Object.hasOwn(members, name))
  const set = given.filter(([, value]) => typeof value === 'string') as [string, string][]
  return Object.fromEntries([...kept, ...set])
}

/** The instant that a body is for, in epoch milliseconds; null when it cannot be told. */
export function instantOf(body: JsonObject, timezone: string | null): number | null {
  const { bookingTimeAsUtc, time } = body
  if (typeof bookingTimeAsUtc === 'string') {
    const epochMs = Date.parse(bookingTimeAsUtc)
    return Number.isNaN(epochMs) ? null : epochMs
  }
  return typeof time === 'string' && isLocalTime(time) ? localToInstant(time.replace(' ', 'T'), timezone) : null
}

/** `2026-11-20T18:00:00`, with an offset where it is an instant. */
const BOOKING_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * The time of a booking, as an update sends it again: with an offset it is an instant, without one it is on the venue's clock.
 * Null when it is none. Source: "Booking (response of GET /Bookings/{id})", `bookingTime`.
 */
export function timeToSendAgain(bookingTime: JsonValue | undefined): JsonObject | null {
  const text = typeof bookingTime === 'string' ? bookingTime : ''
  const [, date, clock, offset] = BOOKING_TIME.exec(text) ?? []
  const time = `${date} ${clock}`
  if (!isLocalTime(time)) return null
  if (offset === undefined) return { time }
  const reading = { now: 0, timezone: null, edge: 'lower', flag: 'bookingTime' } as const
  const instant = new Problems().check(() => parseInstant(text, reading))
  return instant === undefined ? null : { bookingTimeAsUtc: secondsOnly(instant) }
}

/** One of the two times must be given; said in the words of the contract, so that it is said once. */
export function checkTimeGiven(body: JsonObject, problems: Problems): void {
  if (body['time'] === undefined && body['bookingTimeAsUtc'] === undefined)
    problems.add('--time or --time-utc is required')
}
