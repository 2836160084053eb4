import { formatWallDate, parseWallTime } from '../../base/time/calendar.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn, localToInstant } from '../../base/time/zone.ts'

/** The default start of a business day. Guests after midnight belong to the day before. */
export const DEFAULT_DAY_START = '05:00'

/** A venue and its time zone. If the zone is `null` (unknown), UTC is used. */
export type Venue = { readonly source: string; readonly timezone: string | null }

/** The business day of one venue. */
export interface Night extends Venue {
  /** The date on which the night starts, `yyyy-MM-dd`. */
  readonly date: string
  /** The start in local time, `yyyy-MM-ddTHH:mm:ss`. */
  readonly starts: string
  /** The end in local time (exclusive), `yyyy-MM-ddTHH:mm:ss`. */
  readonly ends: string
  /** The start and end as instants, `yyyy-MM-ddTHH:mm:ss.fffZ`. */
  readonly startsUtc: string
  readonly endsUtc: string
}

/** Returns the date (`yyyy-MM-dd`) of the last business day that has ended. `dayStarts` has the format `HH:mm`. */
export function lastNight(nowMs: number, timezone: string | null, dayStarts: string): string {
  const today = dateIn(nowMs, timezone)
  const hasBegun = nowMs >= localToInstant(`${today}T${dayStarts}`, timezone)
  return daysLater(today, hasBegun ? -1 : -2)
}

/** Returns the business day that starts on this date. `dayStarts` has the format `HH:mm`. */
export function nightOf({ source, timezone }: Venue, date: string, dayStarts: string): Night {
  const starts = `${date}T${dayStarts}:00`
  const ends = `${daysLater(date, 1)}T${dayStarts}:00`
  const utc = (local: string) => new Date(localToInstant(local, timezone)).toISOString()
  return { source, timezone, date, starts, ends, startsUtc: utc(starts), endsUtc: utc(ends) }
}

function daysLater(date: string, days: number): string {
  return formatWallDate((parseWallTime(date) ?? 0) + days * DAY_MS)
}
