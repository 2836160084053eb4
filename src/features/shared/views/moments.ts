import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time/units.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { CellOf, ViewContext } from '../../../terminal/render/view.ts'

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Parses a timestamp to epoch milliseconds. A time without a zone is taken as UTC. Returns `null` if the value is not a
 * timestamp.
 */
export function instantMs(value: JsonValue | undefined): number | null {
  const text = plainText(value)
  const match = ISO.exec(text)
  if (!match) return null
  const [, , , , hour, , , zone] = match
  const isoText = text.replace(/^(\S+) (?=\d)/, '$1T')
  const epochMs = Date.parse(zone === undefined && hour !== undefined ? `${isoText}Z` : isoText)
  return Number.isNaN(epochMs) ? null : epochMs
}

/**
 * Formats an instant in the venue's time zone, followed by the zone's name: `2026-11-20 18:00 Australia/Sydney`. Uses
 * UTC if the zone is unknown. Returns any other value as plain text. Never throws, because an error here must not make
 * a successful change look like a failure.
 */
export function instantText(value: JsonValue | undefined, context: ViewContext): string {
  const epochMs = instantMs(value)
  if (epochMs === null) return plainText(value)
  // Fall back to UTC if the time zone is invalid.
  const { timezone } = context
  try {
    return formatInZone(epochMs, timezone)
  } catch (error) {
    if (error instanceof Failure) return formatInZone(epochMs, null)
    throw error
  }
}

/** Formats an instant like {@link instantText}, but without the zone. Tables name the zone in a footnote instead. */
export function instantCell(value: JsonValue | undefined, context: ViewContext): string {
  const text = instantText(value, context)
  const zone = ` ${zoneName(context)}`
  return text.endsWith(zone) ? text.slice(0, -zone.length) : text
}

/** Omits the date from a time in a list cell if the list covers only that day. */
export function withoutListDay(text: string, { day = null }: ViewContext): string {
  return day !== null && text.startsWith(`${day} `) ? text.slice(day.length + 1) : text
}

/**
 * Returns the footnote for a list of times. It names the time zone, and also the day if the cells omit it. If `zone` is
 * `null`, the times are venue-local.
 */
export function timesNote({ day = null }: ViewContext, zone: string | null): string {
  const when = day === null ? '' : ` on ${weekdayOf(day)} ${day}`
  return zone === null ? `times${when} are on the venue's clock` : `times${when} in ${zone}`
}

/** Returns the name of the time zone that {@link instantText} uses. */
export function zoneName(context: ViewContext): string {
  return context.timezone ?? 'UTC'
}

/**
 * Formats a venue-local time as `2026-11-20 18:00`, with seconds unless they are zero. Formats a time with a zone like
 * {@link instantCell}.
 */
export function venueTime(value: JsonValue | undefined, context: ViewContext): string {
  const text = plainText(value)
  const match = ISO.exec(text)
  if (!match) return text
  if (match[7] !== undefined) return instantCell(value, context)
  const [, year, month, day, hour, minute, second = '00'] = match
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  return `${date} ${hour}:${minute}${second === '00' ? '' : `:${second}`}`
}

/** Formats a time like {@link venueTime} and adds the weekday and the zone: `Fri 2026-11-20 18:00 Australia/Sydney`. */
export function venueTimeInFull(value: JsonValue | undefined, context: ViewContext): string {
  const text = venueTime(value, context)
  const weekday = weekdayOf(text)
  if (weekday === '') return text
  const isInstant = ISO.exec(plainText(value))?.[7] !== undefined
  const zone = context.timezone ?? (isInstant ? 'UTC' : 'venue time')
  return `${weekday} ${text} ${zone}`
}

/** Returns the weekday, such as `Fri`, of text that starts with a date, or '' for any other text. */
export function weekdayOf(text: string): string {
  if (!ISO.test(text)) return ''
  return WEEKDAYS[new Date(`${text.slice(0, 'yyyy-MM-dd'.length)}T00:00:00Z`).getUTCDay()] ?? ''
}

/**
 * Returns a cell that shows an instant and its distance from now, such as
 * `2026-11-20 18:00 Australia/Sydney (in 43 days)`.
 */
export function instantAndDistance(member: string): CellOf {
  return (record, context) => {
    const away = distance(record[member], context)
    return instantText(record[member], context) + (away === '' ? '' : ` (${away})`)
  }
}

/** Formats an ISO 8601 timestamp in UTC as `2026-11-20 13:22:27`. Returns any other text unchanged. */
export function utcSeconds(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2')
}

export function instantAt(path: string): CellOf {
  return (record, context) => instantText(valueAt(record, path), context)
}

export function instantCellAt(path: string): CellOf {
  return (record, context) => instantCell(valueAt(record, path), context)
}

/**
 * Describes how far an instant is from now, such as `in 43 days`, `2 hours ago` or `just now`. Returns '' if the value
 * is not a timestamp.
 */
export function distance(value: JsonValue | undefined, context: ViewContext): string {
  const epochMs = instantMs(value)
  if (epochMs === null) return ''
  const awayMs = Math.abs(epochMs - context.now)
  if (awayMs < MINUTE_MS) return 'just now'
  const [count, unit] = rounded(awayMs)
  const length = `${count} ${unit}${count === 1 ? '' : 's'}`
  return epochMs > context.now ? `in ${length}` : `${length} ago`
}

function rounded(ms: number): [count: number, unit: string] {
  if (ms < HOUR_MS) return [Math.floor(ms / MINUTE_MS), 'minute']
  if (ms < 2 * DAY_MS) return [Math.floor(ms / HOUR_MS), 'hour']
  return [Math.floor(ms / DAY_MS), 'day']
}
