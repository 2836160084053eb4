import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { formatWallDate, parseWallTime } from './calendar.ts'
import { DAY_MS, HOUR_MS } from './units.ts'

/**
 * The range in which time zone offsets are looked up. An earlier or later instant has the offset at the nearer end,
 * because offsets do not change there and Intl cannot format year 0.
 */
const FIRST_OFFSET_MS = Date.UTC(1000, 0)
const LAST_OFFSET_MS = Date.UTC(9999, 11, 30)

/**
 * Returns whether `name` is an IANA name such as `Australia/Sydney` (ignoring case), an offset such as `+10:00`, or
 * `UTC`.
 */
export function isKnownZone(name: string): boolean {
  return isUtc(name) || getFormatter(name) !== null
}

/**
 * Formats an instant, for example as `2026-11-20 18:00 Australia/Sydney`. If `timezone` is `null`, uses UTC. Throws
 * USAGE if the zone is unknown.
 */
export function formatInZone(epochMs: number, timezone: string | null): string {
  const wall = new Date(epochMs + offsetAt(epochMs, timezone)).toISOString()
  return `${wall.slice(0, -':ss.fffZ'.length).replace('T', ' ')} ${timezone ?? 'UTC'}`
}

/**
 * Converts a local time (`yyyy-MM-ddTHH:mm[:ss[.fff]]`) to epoch milliseconds. If the time occurs twice, returns the
 * first occurrence. If a clock change skips it, returns the instant of the change. Throws USAGE if the zone is unknown,
 * or RangeError if the time is invalid.
 */
export function localToInstant(local: string, zone: string | null): number {
  return wallToInstant(readWall(local), zone)
}

/**
 * Returns all instants that a local time can mean: none if a clock change skips the time, two if a clock change repeats
 * it, otherwise one. Throws the same errors as {@link localToInstant}.
 */
export function instantsOf(local: string, zone: string | null): readonly number[] {
  return instantsOfWall(readWall(local), zone)
}

function readWall(local: string): number {
  const [, date, time = ''] = /^([\d-]+)T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)$/.exec(local) ?? []
  const wall = date === undefined ? null : parseWallTime(date, time + '00:00:00.000'.slice(time.length))
  if (wall === null) throw new RangeError(`${local} is not a valid date and time`)
  return wall
}

/**
 * Returns the first instant of a day (`yyyy-MM-dd` or epoch milliseconds) in a zone. If the zone is `null`, uses UTC.
 */
export function startOfDay(day: number | string, zone: string | null): number {
  return localToInstant(`${dateIn(day, zone)}T00:00`, zone)
}

/**
 * Returns the last millisecond of a day (`yyyy-MM-dd` or epoch milliseconds) in a zone. If the zone is `null`, uses
 * UTC.
 */
export function endOfDay(day: number | string, zone: string | null): number {
  const midnight = parseWallTime(dateIn(day, zone))
  if (midnight === null) throw new RangeError(`${day} is not a day in the calendar`)
  return wallToInstant(midnight + DAY_MS, zone) - 1
}

/**
 * Returns the date (`yyyy-MM-dd`) that is `daysLater` days after an instant in a zone. If `zone` is `null`, uses UTC.
 * If `day` is already a date, returns it unchanged and ignores `daysLater`.
 */
export function dateIn(day: number | string, zone: string | null, daysLater = 0): string {
  return typeof day === 'string' ? day : formatWallDate(day + offsetAt(day, zone) + daysLater * DAY_MS)
}

/**
 * Returns the start of the clock hour that contains an instant, in epoch milliseconds. If `zone` is `null`, uses UTC.
 */
export function startOfHour(epochMs: number, zone: string | null): number {
  const wall = epochMs + offsetAt(epochMs, zone)
  return epochMs - (((wall % HOUR_MS) + HOUR_MS) % HOUR_MS)
}

function wallToInstant(wall: number, zone: string | null): number {
  const [first] = instantsOfWall(wall, zone)
  if (first !== undefined) return first
  const { before, after } = offsetsAround(wall, zone)
  return findChange(wall - after, wall - before, zone)
}

function instantsOfWall(wall: number, zone: string | null): readonly number[] {
  const { before, after } = offsetsAround(wall, zone)
  const fitting = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, zone) === wall)
  return [...new Set(fitting)].sort((a, b) => a - b)
}

/**
 * Returns the UTC offsets one day before and one day after a local time. Zones differ from UTC by less than a day, so
 * these are the offsets before and after any clock change near that time.
 */
function offsetsAround(wall: number, zone: string | null): { readonly before: number; readonly after: number } {
  return { before: offsetAt(wall - DAY_MS, zone), after: offsetAt(wall + DAY_MS, zone) }
}

function findChange(early: number, late: number, zone: string | null): number {
  const offset = offsetAt(early, zone)
  let [last, first] = [early, late]
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2)
    if (offsetAt(middle, zone) === offset) last = middle
    else first = middle
  }
  return first
}

/**
 * Returns a zone's offset from UTC at an instant, in milliseconds. If the zone is `null`, returns 0. Throws USAGE if
 * the zone is unknown.
 */
export function offsetAt(epochMs: number, zone: string | null): number {
  if (zone === null || isUtc(zone)) return 0
  const formatter = getFormatter(zone)
  if (formatter === null)
    throw new Failure('USAGE', `the time zone ${JSON.stringify(zone)} is unknown`, {
      hint: 'use an IANA time zone name, such as Australia/Sydney or Europe/London',
    })
  const ms = Math.min(Math.max(epochMs, FIRST_OFFSET_MS), LAST_OFFSET_MS)
  const shown = Object.fromEntries(formatter.formatToParts(ms).map((part) => [part.type, Number(part.value)]))
  const { year = 0, month = 1, day, hour, minute, second } = shown
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

function isUtc(zone: string): boolean {
  return zone === 'UTC' || zone === 'Etc/UTC'
}

const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
const TIME = { hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const

const formatters = new Map<string, Intl.DateTimeFormat | null>()

/**
 * Returns a formatter, or `null` if the zone is unknown. Do not call it for UTC, because creating the first formatter
 * takes 20 ms.
 */
function getFormatter(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const formatter = attempt(() => new Intl.DateTimeFormat('en-US', { timeZone: zone, ...DATE, ...TIME }), null)
  formatters.set(zone, formatter)
  return formatter
}
