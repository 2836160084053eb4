import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { readBookingTime, readUtcTime, secondsOnly } from '../../../base/time/booking-time.ts'
import { isLocalTime } from '../../../base/time/calendar.ts'
import { type Clock, parseInstant } from '../../../base/time/instant.ts'
import { localToInstant } from '../../../base/time/zone.ts'
import { REMOVED, type TypedMembers } from '../../../terminal/input/body.ts'
import { Problems } from '../../../terminal/input/problems.ts'

type TimeFlags = { readonly [F in 'time' | 'time-utc']?: string | undefined }
type TypedTime = { readonly members: TypedMembers; readonly notes: readonly string[] }

/**
 * Converts `--time` or `--time-utc` to a member of the request and removes the other time member. If a time cannot be
 * parsed, keeps it as typed. Also returns notes for the user.
 */
export function readTimeFlags({ time, 'time-utc': utc }: TimeFlags, clock: Clock, problems: Problems): TypedTime {
  const { now } = clock
  const local =
    time === undefined ? undefined : problems.check(() => readBookingTime(time, { ...clock, flag: '--time' }))
  const inUtc = utc === undefined ? undefined : problems.check(() => readUtcTime(utc, { now, flag: '--time-utc' }))
  const notes = [local?.note].filter((note) => typeof note === 'string')
  if (utc !== undefined) {
    const both = time === undefined ? [] : ['--time-utc is sent; --time is ignored']
    return { members: { bookingTimeAsUtc: inUtc?.text ?? utc, time: REMOVED }, notes: both }
  }
  if (time === undefined) return { members: {}, notes }
  if (local?.member === 'bookingTimeAsUtc') return { members: { bookingTimeAsUtc: local.text, time: REMOVED }, notes }
  return { members: { bookingTimeAsUtc: REMOVED, time: local?.text ?? time }, notes }
}

export function withTime(body: JsonObject, members: TypedMembers): JsonObject {
  const given = Object.entries(members)
  if (given.length === 0) return body
  const kept = Object.entries(body).filter(([name]) => !Object.hasOwn(members, name))
  const set = given.filter(([, value]) => typeof value === 'string') as [string, string][]
  return Object.fromEntries([...kept, ...set])
}

/** Returns the time in a request body in epoch milliseconds, or `null` if no valid time is given. */
export function instantOf(body: JsonObject, timezone: string | null): number | null {
  const { bookingTimeAsUtc, time } = body
  if (typeof bookingTimeAsUtc === 'string') {
    const epochMs = Date.parse(bookingTimeAsUtc)
    return Number.isNaN(epochMs) ? null : epochMs
  }
  return typeof time === 'string' && isLocalTime(time) ? localToInstant(time.replace(' ', 'T'), timezone) : null
}

const BOOKING_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Converts a booking's time to the form that an update sends: an instant if it has an offset, otherwise venue-local
 * time. Returns `null` if the time cannot be parsed. Source: "Booking (response of GET /Bookings/{id})", `bookingTime`.
 */
export function timeForUpdate(bookingTime: JsonValue | undefined): JsonObject | null {
  const text = typeof bookingTime === 'string' ? bookingTime : ''
  const [, date, clock, offset] = BOOKING_TIME.exec(text) ?? []
  const time = `${date} ${clock}`
  if (!isLocalTime(time)) return null
  if (offset === undefined) return { time }
  const reading = { now: 0, timezone: null, edge: 'lower', flag: 'bookingTime' } as const
  const instant = new Problems().check(() => parseInstant(text, reading))
  return instant === undefined ? null : { bookingTimeAsUtc: secondsOnly(instant) }
}

/**
 * Adds a problem if no time is given. Uses the same words as the contract check, so that the problem appears only once.
 */
export function checkTimeGiven(body: JsonObject, problems: Problems): void {
  if (body['time'] === undefined && body['bookingTimeAsUtc'] === undefined)
    problems.add('--time or --time-utc is required')
}
