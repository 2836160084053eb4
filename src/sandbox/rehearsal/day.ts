import { DAY, dayOf, type LocalMs, readDate, toInstant, toLocal } from '../venue/time.ts'

/** The day that is rehearsed. Instants in milliseconds since 1970. */
export interface RehearsedDay {
  /** `2026-12-18`, on the venue's calendar. */
  readonly date: string
  readonly starts: number
  /** Its last millisecond. */
  readonly ends: number
}

/** Finds a day by its date, `yyyy-MM-dd`; null when there is no such day, or it is too far away for the sandbox. */
export function findDay(date: string): RehearsedDay | null {
  const midnight = readDate(date)
  if (midnight === null || midnight < EARLIEST || midnight > LATEST) return null
  return { date, starts: toInstant(midnight), ends: toInstant(midnight + DAY) - 1 }
}

const EARLIEST: LocalMs = Date.UTC(1971, 0, 1)
const LATEST: LocalMs = Date.UTC(8999, 11, 31)

/** The instant at which a time of the day (milliseconds after midnight, on the venue's clock) comes. */
export function timeOf({ starts }: RehearsedDay, afterMidnight: number): number {
  return toInstant(dayOf(toLocal(starts)) * DAY + afterMidnight)
}

/** The instant of a time on the venue's clock, as bookings have it: `2026-12-18T18:00:00`. */
export function instantOf(bookingTime: string): number {
  return toInstant(Date.parse(`${bookingTime}Z`))
}

/** The date of some days later, `yyyy-MM-dd`. */
export function dateAfter({ starts }: RehearsedDay, days: number): string {
  return new Date((dayOf(toLocal(starts)) + days) * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}
