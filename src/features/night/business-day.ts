import { formatWallDate, parseWallTime } from '../../base/time/calendar.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn, localToInstant } from '../../base/time/zone.ts'

/** The default start of a business day: guests after midnight belong to the day before. */
export const USUAL_DAY_STARTS = '05:00'

/** A venue and its zone, which is null if unknown. UTC is used then. */
export type Venue = { readonly source: string; readonly timezone: string | null }

/** The business day of one venue. */
export interface Night extends Venue {
  /** `yyyy-MM-dd`. */
  readonly date: string
  /** Local times, `yyyy-MM-ddTHH:mm:ss`; the night ends before `ends`. */
  readonly starts: string
  readonly ends: string
  /** Instants, `yyyy-MM-ddTHH:mm:ss.fffZ`. */
  readonly startsUtc: string
  readonly endsUtc: string
}

/** The last business day that has ended, `yyyy-MM-dd`. `dayStarts`: `HH:mm`. */
export function lastNight(nowMs: number, timezone: string | null, dayStarts: string): string {
  const today = dateIn(nowMs, timezone)
  const hasBegun = nowMs >= localToInstant(`${today}T${dayStarts}`, timezone)
  return daysLater(today, hasBegun ? -1 : -2)
}

/** The business day that starts on this date. `dayStarts`: `HH:mm`. */
export function nightOf({ source, timezone }: Venue, date: string, dayStarts: string): Night {
  const starts = `${date}T${dayStarts}:00`
  const ends = `${daysLater(date, 1)}T${dayStarts}:00`
  const utc = (local: string) => new Date(localToInstant(local, timezone)).toISOString()
  return { source, timezone, date, starts, ends, startsUtc: utc(starts), endsUtc: utc(ends) }
}

function daysLater(date: string, days: number): string {
  return formatWallDate((parseWallTime(date) ?? 0) + days * DAY_MS)
}
