import { formatWallDate, parseWallTime } from '../../base/time/calendar.ts'
import { DAY_MS } from '../../base/time/units.ts'
import { dateIn, localToInstant } from '../../base/time/zone.ts'

/** When a night begins, on the venue's clock, unless the command line says: whoever sits past midnight belongs to the day before. */
export const USUAL_DAY_STARTS = '05:00'

/** The business day of one venue. */
export interface Night {
  /** Whose records are meant: the `source` of the copy. */
  readonly source: string
  /** The venue's zone; null: nobody knows it, and its clock is taken for UTC. */
  readonly timezone: string | null
  /** `yyyy-MM-dd`. */
  readonly date: string
  /** On the venue's clock, `yyyy-MM-ddTHH:mm:ss`: it starts with the first and ends before the second. */
  readonly starts: string
  readonly ends: string
  /** The same as instants, `yyyy-MM-ddTHH:mm:ss.fffZ`. */
  readonly startsUtc: string
  readonly endsUtc: string
}

/** Whose business day, and where its clocks are. */
export interface Venue {
  readonly source: string
  readonly timezone: string | null
}

/** The business day that ended last at a venue: `yyyy-MM-dd`. `dayStarts`: `HH:mm`. */
export function lastNight(nowMs: number, timezone: string | null, dayStarts: string): string {
  const today = dateIn(nowMs, timezone)
  const hasBegun = nowMs >= localToInstant(`${today}T${dayStarts}`, timezone)
  return daysLater(today, hasBegun ? -1 : -2)
}

/** The business day of this date at a venue. `dayStarts`: `HH:mm`. */
export function nightOf({ source, timezone }: Venue, date: string, dayStarts: string): Night {
  const starts = `${date}T${dayStarts}:00`
  const ends = `${daysLater(date, 1)}T${dayStarts}:00`
  const utc = (local: string) => new Date(localToInstant(local, timezone)).toISOString()
  return { source, timezone, date, starts, ends, startsUtc: utc(starts), endsUtc: utc(ends) }
}

function daysLater(date: string, days: number): string {
  return formatWallDate((parseWallTime(date) ?? 0) + days * DAY_MS)
}
