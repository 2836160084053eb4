/** Durations in milliseconds. `DAY` is always 24 hours, although days when clocks change are shorter or longer. */
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * A local time at the venue in milliseconds, encoded as if it were UTC. Use the getUTC methods of `new Date(local)`.
 */
export type LocalMs = number

/** Returns the day of a local time, in days since 1970-01-01. */
export function dayOf(local: LocalMs): number {
  return Math.floor(local / DAY)
}

/** Formats a local time in the `bookingTime` format, such as `2026-11-20T18:00:00`. */
export function formatLocalTime(local: LocalMs): string {
  return new Date(local).toISOString().slice(0, 19)
}

/** Formats the time of day on a 12-hour clock, for example `6:00 PM`. */
export function formatClockTime(local: LocalMs): string {
  const minutes = Math.floor((local - dayOf(local) * DAY) / MINUTE)
  const hour = Math.floor(minutes / 60)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?Z$/
const LOCAL = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/**
 * Parses `yyyy-MM-ddTHH:mm:ssZ`, with or without fractional seconds. Returns `null` for other formats and impossible
 * times.
 */
export function readInstant(text: string): number | null {
  const match = INSTANT.exec(text)
  if (!match) return null
  const whole = readParts(match)
  return whole === null ? null : whole + Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
}

/** Parses `yyyy-MM-dd HH:mm` as a local time. Returns `null` for other formats and impossible dates. */
export function readLocal(text: string): LocalMs | null {
  const match = LOCAL.exec(text)
  return match && readParts(match)
}

/** Parses `yyyy-MM-dd` as midnight in the venue's local time. Returns `null` for other formats and impossible dates. */
export function readDate(text: string): LocalMs | null {
  const match = DATE.exec(text)
  return match && readParts(match)
}

/** Returns `null` for dates such as February 30, which Date.UTC would convert to a date in March. */
function readParts(match: RegExpExecArray): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (year === 0 || hour > 23 || minute > 59 || second > 59) return null
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second))
  // Set the year separately, because Date.UTC would add 1900 to a year below 100.
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() : null
}
