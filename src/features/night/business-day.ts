import { formatWallDate, parseWallTime } from '../../base/time/calendar.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn, localToInstant } from '../../base/time/zone.ts'

/** The default start time of a business day. Guests who arrive after midnight count towards the previous day. */
export const DEFAULT_DAY_START = '05:00'

/** A venue and its time zone. If the zone is unknown (`null`), times are in UTC. */
export type Venue = { readonly source: string; readonly timezone: string | null }

/** A venue's business day, which starts on one calendar day and ends on the next. */
export interface Night extends Venue {
  /** The date when the business day starts, in the format `yyyy-MM-dd`. */
  readonly date: string
  /** When the day starts, in local time, in the format `yyyy-MM-ddTHH:mm:ss`. */
  readonly starts: string
  /** When the day ends (exclusive), in local time, in the format `yyyy-MM-ddTHH:mm:ss`. */
  readonly ends: string
  /** When the day starts and ends, in UTC, in the format `yyyy-MM-ddTHH:mm:ss.fffZ`. */
  readonly startsUtc: string
  readonly endsUtc: string
}

/**
 * Returns the date of the last business day that has ended, in the format `yyyy-MM-dd`. `dayStarts` is a time of day in
 * the format `HH:mm`.
 */
export function lastNight(nowMs: number, timezone: string | null, dayStarts: string): string {
  const today = dateIn(nowMs, timezone)
  const hasBegun = nowMs >= localToInstant(`${today}T${dayStarts}`, timezone)
  return daysLater(today, hasBegun ? -1 : -2)
}

/** Returns the business day that starts on the given date. `dayStarts` is a time of day in the format `HH:mm`. */
export function nightOf({ source, timezone }: Venue, date: string, dayStarts: string): Night {
  const starts = `${date}T${dayStarts}:00`
  const ends = `${daysLater(date, 1)}T${dayStarts}:00`
  const utc = (local: string) => new Date(localToInstant(local, timezone)).toISOString()
  return { source, timezone, date, starts, ends, startsUtc: utc(starts), endsUtc: utc(ends) }
}

function daysLater(date: string, days: number): string {
  return formatWallDate((parseWallTime(date) ?? 0) + days * DAY_MS)
}
