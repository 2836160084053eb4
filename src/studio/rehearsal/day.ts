import { DAY, dayOf, type LocalMs, readDate } from '../../sandbox/venue/time.ts'
import type { Zone } from '../../sandbox/venue/zone.ts'

/** The rehearsed day, in the venue's calendar. `starts` and `ends` (its last instant): milliseconds since 1970. */
export type RehearsedDay = Readonly<NonNullable<ReturnType<typeof findDay>>>

/** Finds a day by its date, `yyyy-MM-dd`; null for an impossible one, or one too far away for the sandbox. */
export function findDay(date: string, zone: Zone) {
  const midnight = readDate(date)
  if (midnight === null || midnight < EARLIEST || midnight > LATEST) return null
  return { date, starts: zone.toInstant(midnight), ends: zone.toInstant(midnight + DAY) - 1, zone }
}

const EARLIEST: LocalMs = Date.UTC(1971, 0, 1)
const LATEST: LocalMs = Date.UTC(8999, 11, 31)

/** The instant of a local time of the day, given in milliseconds after midnight. */
export function timeOf({ starts, zone }: RehearsedDay, afterMidnight: number): number {
  return zone.toInstant(dayOf(zone.toLocal(starts)) * DAY + afterMidnight)
}

/** The instant of a local time of a booking: `2026-12-18T18:00:00`. */
export function instantOf({ zone }: RehearsedDay, bookingTime: string): number {
  return zone.toInstant(Date.parse(`${bookingTime}Z`))
}

/** The date some days later, `yyyy-MM-dd`. */
export function dateAfter({ starts, zone }: RehearsedDay, days: number): string {
  return new Date((dayOf(zone.toLocal(starts)) + days) * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}
