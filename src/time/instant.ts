import { Failure } from '../failure/failure.ts'
import { FIRST_INSTANT, LAST_INSTANT, parseWallTime } from './calendar.ts'
import { tryParseDuration } from './duration.ts'
import { dateIn, endOfDay, localToInstant, startOfDay } from './zone.ts'

/** What "now" and "here" are when a time is read. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: number
  /** The zone of times that name none; null is UTC. */
  readonly timezone: string | null
}

/** How one time is to be read. */
export interface InstantReading extends Clock {
  /** `lower`: a day stands for its first instant, and `24h` for 24 hours ago. `upper`: a day stands for its last millisecond. */
  readonly edge: 'lower' | 'upper'
  /** What the failure names, as typed: `--updated-from`. */
  readonly flag: string
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i
const DAYS_FROM_TODAY = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])
const EXAMPLES = 'write it like 2026-11-20, "2026-11-20 18:00", 2026-11-20T18:00:00Z, today, now or -24h'

/**
 * The instant that a person means, in epoch milliseconds: RFC 3339 with any offset; a date or a date and time in the zone; a
 * day by name; `now`; an amount of time before or after now (`-90m`, `+2h`, a day being 24 hours). An amount without a sign
 * is that long ago at a lower edge; at an upper edge it could mean either, so it is refused. Digits beyond the millisecond
 * are cut off.
 * Fails: USAGE, with the flag, what was given, and examples; also outside of the years 1 to 9999.
 */
export function parseInstant(text: string, reading: InstantReading): number {
  const typed = text.trim()
  const ms = dayInstant(typed, reading) ?? timeInstant(typed, reading) ?? relativeInstant(typed, reading)
  if (ms === null) throw refusal(text, reading.flag, typed === '' ? 'is empty' : 'is not a time')
  if (!(ms >= FIRST_INSTANT && ms <= LAST_INSTANT)) throw refusal(text, reading.flag, 'is too far away')
  return ms
}

/** The form in which the service takes instants: `yyyy-MM-ddTHH:mm:ss.fffZ`, for the years 1 to 9999. */
export function toWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** A whole day: by date or by name. */
function dayInstant(typed: string, { now, timezone, edge, flag }: InstantReading): number | null {
  const days = DAYS_FROM_TODAY.get(typed.toLowerCase())
  if (days === undefined && !DATE.test(typed)) return null
  if (days === undefined && parseWallTime(typed) === null) throw refusal(typed, flag, 'is not a day of the calendar')
  const date = days === undefined ? typed : dateIn(now, timezone, days)
  return edge === 'lower' ? startOfDay(date, timezone) : endOfDay(date, timezone)
}

/** A date with a time of day, with an offset or in the zone. */
function timeInstant(typed: string, { timezone, flag }: InstantReading): number | null {
  const [, date, hour, minute, second = '00', fraction = '', offset] = DATE_AND_TIME.exec(typed) ?? []
  if (date === undefined) return null
  if (parseWallTime(date) === null) throw refusal(typed, flag, 'has no day of the calendar')
  const time = `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const wall = parseWallTime(date, time)
  if (wall === null) throw refusal(typed, flag, 'has no time of the day')
  if (offset === undefined) return localToInstant(`${date}T${time}`, timezone)
  const ahead = offsetMs(offset)
  if (ahead === null) throw refusal(typed, flag, 'has an offset that no clock has')
  return wall - ahead
}

/** `Z`, `+11:00`, `-0330` in milliseconds ahead of UTC; null beyond 23:59. */
function offsetMs(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))]
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Now, or an amount of time before or after it. */
function relativeInstant(typed: string, { now, edge, flag }: InstantReading): number | null {
  if (typed.toLowerCase() === 'now') return now
  const signed = /^[+-]/.test(typed)
  const amount = tryParseDuration(signed ? typed.slice(1) : typed)
  if (amount === null) return null
  if (!signed && edge === 'upper') {
    throw new Failure('USAGE', `${flag}: ${JSON.stringify(typed)} can mean before or after now`, {
      hint: `write -${typed} for that long ago, or +${typed} for that long from now`,
    })
  }
  return typed.startsWith('+') ? now + amount : now - amount
}

function refusal(text: string, flag: string, why: string): Failure {
  return new Failure('USAGE', `${flag}: ${JSON.stringify(text.slice(0, 40))} ${why}`, { hint: EXAMPLES })
}
