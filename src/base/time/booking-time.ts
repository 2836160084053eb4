import { Failure } from '../failure/failure.ts'
import { parseWallTime } from './calendar.ts'
import {
  type Clock,
  isWholeDay,
  noteOnClockChange,
  parseInstant,
  readClock,
  timeFailure,
  toWireTime,
} from './instant.ts'
import { formatInZone, instantsOf } from './zone.ts'

/** Options for reading a booking time. `flag` is the flag that error messages mention. */
export type BookingTimeReading = Clock & { readonly flag: string }

/** The booking time to send, and a note for the user, which may be `null`. */
export interface BookingTime {
  readonly member: 'time' | 'bookingTimeAsUtc'
  /** The time as `yyyy-MM-dd HH:mm` on the venue's clock, or as `yyyy-MM-ddTHH:mm:ssZ` in UTC. */
  readonly text: string
  readonly note: string | null
}

const EXAMPLES = 'write it like "2026-12-24 19:30", "tomorrow 19:30", 19:30, 2026-12-24T08:30:00Z or +2h'

/**
 * Reads a booking time on the venue's clock. A local time is sent unchanged, unless it occurs twice because the clock
 * goes back. In that case, its first occurrence is sent in UTC. Throws USAGE if the text is not a time, is a day
 * without a time, contains seconds, or is a time that the clock skips. Source: POST /Reservations, `time`,
 * `bookingTimeAsUtc`.
 */
export function readBookingTime(typed: string, reading: BookingTimeReading): BookingTime {
  const { timezone, flag } = reading
  const clock = readTimeOfDay(typed, reading)
  const refuse = (why: string) => timeFailure(typed, { flag, examples: EXAMPLES }, why)
  if ('epochMs' in clock) {
    const { epochMs } = clock
    const local = formatInZone(epochMs, timezone).slice(0, 'yyyy-MM-dd HH:mm'.length)
    const isClear =
      timezone !== null && epochMs % 60_000 === 0 && instantsOf(local.replace(' ', 'T'), timezone).length === 1
    return isClear ? { member: 'time', text: local, note: null } : inUtc(epochMs)
  }
  if (!clock.time.endsWith(':00.000')) throw refuse('has seconds, but booking times do not')
  const local = `${clock.date} ${clock.time.slice(0, 'HH:mm'.length)}`
  const [first, second] = instantsOf(`${clock.date}T${clock.time}`, timezone)
  if (first === undefined) throw refuse(`does not exist: clocks in ${timezone} skip it`)
  if (second === undefined) return { member: 'time', text: local, note: noteOnDay(typed, reading) }
  const other = `for the second one, use --time-utc ${secondsOnly(second)}`
  return { ...inUtc(first), note: `${noteOnClockChange(typed, reading)}; ${other}` }
}

/**
 * Reads a booking time that is given in UTC. Throws USAGE if the text is not a time, or is a day without a time.
 * Source: POST /Reservations, `bookingTimeAsUtc`.
 */
export function readUtcTime(typed: string, { now, flag }: Omit<BookingTimeReading, 'timezone'>): BookingTime {
  const clock = readTimeOfDay(typed, { now, timezone: null, flag })
  return inUtc('epochMs' in clock ? clock.epochMs : Date.parse(`${clock.date}T${clock.time}Z`))
}

/** Formats an instant as `yyyy-MM-ddTHH:mm:ssZ`. */
export function secondsOnly(epochMs: number): string {
  return toWireTime(epochMs).replace(/\.\d{3}Z$/, 'Z')
}

function inUtc(epochMs: number): BookingTime {
  return { member: 'bookingTimeAsUtc', text: secondsOnly(epochMs), note: null }
}

/** Reads a local time or an instant. Rounds a relative time down to the minute. */
function readTimeOfDay(typed: string, reading: BookingTimeReading) {
  if (isDayOfCalendar(typed.trim()))
    throw new Failure('USAGE', `${reading.flag}: ${JSON.stringify(typed)} is a day without a time`, {
      hint: `add the time: ${reading.flag} "${typed.trim()} 19:30"`,
      guide: 'times',
    })
  const momentOnly = { ...reading, edge: 'upper', examples: EXAMPLES, weekdays: 'coming' } as const
  const clock = readClock(typed, momentOnly)
  if (clock !== null) return clock
  const epochMs = parseInstant(typed, momentOnly)
  return { epochMs: Math.floor(epochMs / 60_000) * 60_000 }
}

function isDayOfCalendar(typed: string): boolean {
  return isWholeDay(typed) && (!/^\d/.test(typed) || parseWallTime(typed) !== null)
}

function noteOnDay(typed: string, { timezone, flag }: BookingTimeReading): string | null {
  if (timezone !== null || /^\d{4}-/.test(typed.trim())) return null
  return `${flag}: no time zone is set, so the day is interpreted in UTC`
}
