import { DAY, dayOf, type LocalMs, readDate } from '../../sandbox/venue/time.ts'
import type { Zone } from '../../sandbox/venue/zone.ts'

/**
 * A rehearsed day at the venue. `starts` and `ends` are the day's first and last instants, in milliseconds since 1970.
 */
export type RehearsedDay = Readonly<NonNullable<ReturnType<typeof findDay>>>

/** Returns the day with a given date (`yyyy-MM-dd`), or `null` if the date is invalid or cannot be rehearsed. */
export function findDay(date: string, zone: Zone) {
  const midnight = readDate(date)
  if (midnight === null || midnight < EARLIEST || midnight > LATEST) return null
  return { date, starts: zone.toInstant(midnight), ends: zone.toInstant(midnight + DAY) - 1, zone }
}

const EARLIEST: LocalMs = Date.UTC(1971, 0, 1)
const LATEST: LocalMs = Date.UTC(8999, 11, 31)

/** Returns the instant of a local time on the rehearsed day. The local time is given in milliseconds after midnight. */
export function timeOf({ starts, zone }: RehearsedDay, afterMidnight: number): number {
  return zone.toInstant(dayOf(zone.toLocal(starts)) * DAY + afterMidnight)
}

/** Returns the instant when a booking starts, given its local time, such as `2026-12-18T18:00:00`. */
export function instantOf({ zone }: RehearsedDay, bookingTime: string): number {
  return zone.toInstant(Date.parse(`${bookingTime}Z`))
}

/** Returns the date that is `days` days after the rehearsed day, as `yyyy-MM-dd`. */
export function dateAfter({ starts, zone }: RehearsedDay, days: number): string {
  return new Date((dayOf(zone.toLocal(starts)) + days) * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}
