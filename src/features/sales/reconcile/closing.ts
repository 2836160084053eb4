import { formatWallDate, parseWallTime } from '../../../base/time/calendar.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import type { TimeRange } from '../../../base/time/window.ts'
import { dateIn, endOfDay, formatInZone, localToInstant, startOfDay } from '../../../base/time/zone.ts'
import type { Closing, Days, PosSale } from './ledger.ts'

/** Returns when a sale closed, in epoch milliseconds, or `null` if only the day is known. */
export function getClosingInstant(closed: Closing, timezone: string | null): number | null {
  if ('ms' in closed) return closed.ms
  return 'local' in closed ? localToInstant(closed.local, timezone) : null
}

export function getClosingDay(closed: Closing, timezone: string | null): string {
  if ('day' in closed) return closed.day
  return 'local' in closed ? closed.local.slice(0, 'yyyy-MM-dd'.length) : dateIn(closed.ms, timezone)
}

/**
 * Formats a sale's closing time in the venue's time zone, such as `2026-11-20 21:40`. Without a time, returns the day.
 */
export function formatClosing(closed: Closing, timezone: string | null): string {
  const ms = getClosingInstant(closed, timezone)
  return ms === null ? getClosingDay(closed, timezone) : formatInZone(ms, timezone).slice(0, 'yyyy-MM-dd HH:mm'.length)
}

/**
 * Returns the first and last closing day of the sales in a file, or `null` if the file does not say when any sale
 * closed.
 */
export function daysOfClosings(sales: readonly PosSale[], timezone: string | null): Days | null {
  const days = sales.flatMap(({ closed }) => (closed === null ? [] : [getClosingDay(closed, timezone)])).sort()
  const [from] = days
  const to = days.at(-1)
  return from === undefined || to === undefined ? null : { from, to, timezone }
}

export function countDays({ from, to }: Days): number {
  return ((parseWallTime(to) ?? 0) - (parseWallTime(from) ?? 0)) / DAY_MS + 1
}

/** Returns the period to read, with an extra day at each end: a wrong clock may have put a sale on the wrong day. */
export function readRange({ from, to, timezone }: Days): TimeRange {
  return { fromMs: startOfDay(addDays(from, -1), timezone), toMs: endOfDay(addDays(to, 1), timezone) }
}

export function isInDays(day: string, { from, to }: Days): boolean {
  return day >= from && day <= to
}

export function formatDays({ from, to }: Days): string {
  return from === to ? from : `${from} to ${to}`
}

function addDays(day: string, days: number): string {
  return formatWallDate((parseWallTime(day) ?? 0) + days * DAY_MS)
}
