import { WEEKDAYS } from './calendar.ts'
import type { TimeRange } from './window.ts'
import { dateIn, endOfDay, formatInZone, startOfDay } from './zone.ts'

/**
 * Describes a range, as `on Sun 2026-11-22 (Australia/Sydney)` or `from … to …`. If the time zone is `null`, uses UTC.
 */
export function describeRange({ fromMs, toMs }: TimeRange, timezone: string | null): string {
  const [first, last] = [dayWords(fromMs, timezone), dayWords(toMs, timezone)]
  const zone = `(${timezone ?? 'UTC'})`
  const isWhole = startOfDay(fromMs, timezone) === fromMs && endOfDay(toMs, timezone) === toMs
  if (isWhole) return first === last ? `on ${first} ${zone}` : `from ${first} to ${last} ${zone}`
  const end = `${first === last ? '' : `${last} `}${clockOf(toMs, timezone)}`
  return `from ${first} ${clockOf(fromMs, timezone)} to ${end} ${zone}`
}

function dayWords(epochMs: number, timezone: string | null): string {
  const date = dateIn(epochMs, timezone)
  return `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`
}

function clockOf(epochMs: number, timezone: string | null): string {
  return formatInZone(epochMs, timezone).slice('yyyy-MM-dd '.length, 'yyyy-MM-dd HH:mm'.length)
}
