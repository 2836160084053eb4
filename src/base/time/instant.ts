import { Failure } from '../failure/failure.ts'
import { findNearest } from '../failure/nearest.ts'
import { FIRST_INSTANT, LAST_INSTANT, parseWallTime } from './calendar.ts'
import { tryParseDuration } from './duration.ts'
import { dateIn, endOfDay, formatInZone, instantsOf, localToInstant, startOfDay } from './zone.ts'

/** The current time, and the time zone for interpreting the user's input. */
export interface Clock {
  /** The current time, in epoch milliseconds. */
  readonly now: number
  /** The zone of times that do not include a zone; `null` for UTC. */
  readonly timezone: string | null
  /**
   * With `coming`, a weekday means its next occurrence. By default, a weekday is rejected, because it could also mean
   * the previous one.
   */
  readonly weekdays?: 'coming'
}

export interface InstantReading extends Clock {
  /**
   * Which end of a range the text specifies. At the `lower` end, a day means its first instant, and `24h` means 24
   * hours ago. At the `upper` end, a day means its last millisecond, and a duration needs a sign.
   */
  readonly edge: 'lower' | 'upper'
  readonly flag: string
  /** The hint to show if the text is not a valid time. The default hint includes examples of whole days. */
  readonly examples?: string
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i
const DAY_AND_TIME =
  /^(?:(yesterday|today|tomorrow|(?:sun|mon|tues|wednes|thurs|fri|satur)day) +)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/i
const DAYS_FROM_TODAY = new Map(Object.entries({ yesterday: -1, today: 0, tomorrow: 1 }))
const WEEKDAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_WORDS = [...DAYS_FROM_TODAY.keys(), ...WEEKDAY_NAMES]
const EXAMPLES =
  'write it like 2026-11-20, "2026-11-20 18:00", "tomorrow 18:00", 2026-11-20T18:00:00Z, today, now or -24h'

/**
 * Parses an instant and returns it in epoch milliseconds. Accepts RFC 3339; a date in the zone, with or without a time;
 * `today`, `tomorrow 18:00`, `18:00` or `now`; and a duration from now, such as `-90m` or `+2h` (a day is 24 hours).
 * Truncates to milliseconds. Throws USAGE for any other text, an ambiguous weekday, or a year outside 1 to 9999. At the
 * upper end of a range, a duration must have a sign.
 */
export function parseInstant(text: string, reading: InstantReading): number {
  const typed = text.trim()
  const ms = tryReadDay(typed, reading) ?? tryReadTime(typed, reading) ?? tryReadRelative(typed, reading)
  if (ms === null) throw timeFailure(text, reading, typed === '' ? 'is empty' : 'is not a time')
  if (!(ms >= FIRST_INSTANT && ms <= LAST_INSTANT)) throw timeFailure(text, reading, 'is outside the years 1 to 9999')
  return ms
}

/** Formats an instant between the years 1 and 9999 as `yyyy-MM-ddTHH:mm:ss.fffZ`. */
export function toWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** Returns whether `text` refers to a whole day: a date, a weekday, `today` or similar. */
export function isWholeDay(text: string): boolean {
  const typed = text.trim()
  return DATE.test(typed) || DAY_WORDS.includes(typed.toLowerCase())
}

function tryReadDay(typed: string, reading: InstantReading): number | null {
  if (!isWholeDay(typed)) return null
  const { timezone, edge } = reading
  const named = dateNamed(typed, reading)
  if (named === null && parseWallTime(typed) === null) throw timeFailure(typed, reading, 'is not a day in the calendar')
  const date = named ?? typed
  return edge === 'lower' ? startOfDay(date, timezone) : endOfDay(date, timezone)
}

/** Returns the date of a word such as `friday`, or `null` for any other text. Throws USAGE for an ambiguous weekday. */
function dateNamed(word: string, reading: Omit<InstantReading, 'edge'>): string | null {
  const { now, timezone, weekdays } = reading
  const days = DAYS_FROM_TODAY.get(word.toLowerCase())
  if (days !== undefined) return dateIn(now, timezone, days)
  const weekday = WEEKDAY_NAMES.indexOf(word.toLowerCase())
  if (weekday < 0) return null
  const today = new Date(`${dateIn(now, timezone)}T00:00:00Z`).getUTCDay()
  const ahead = (weekday - today + 7) % 7
  const coming = dateIn(now, timezone, ahead)
  if (weekdays === 'coming') return coming
  const why = `can mean ${dateIn(now, timezone, ahead - 7)} or ${coming}`
  throw timeFailure(
    word,
    { ...reading, examples: `write the date: ${dateIn(now, timezone, ahead - 7)} or ${coming}` },
    why,
  )
}

function tryReadTime(typed: string, reading: InstantReading): number | null {
  const clock = readClock(typed, reading)
  return clock && ('epochMs' in clock ? clock.epochMs : localToInstant(`${clock.date}T${clock.time}`, reading.timezone))
}

/** A local date and time, as `yyyy-MM-dd` and `HH:mm:ss.fff`. */
export type WallClock = { readonly date: string; readonly time: string }

/**
 * Parses a time of day, with or without a date. Returns an instant if the time has a UTC offset, and otherwise a local
 * time. Returns `null` for any other text. Throws USAGE if the time does not exist.
 */
export function readClock(
  text: string,
  reading: Omit<InstantReading, 'edge'>,
): WallClock | { readonly epochMs: number } | null {
  const typed = text.trim()
  const match = DATE_AND_TIME.exec(typed) ?? DAY_AND_TIME.exec(typed)
  if (match === null) return null
  const [, day = 'today', hour = '', minute, second = '00', fraction = '', offset] = match
  const date = dateNamed(day, reading) ?? day
  if (parseWallTime(date) === null) throw timeFailure(typed, reading, 'has a date that does not exist')
  const time = `${hour.padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const wall = parseWallTime(date, time)
  if (wall === null) throw timeFailure(typed, reading, 'has a time that does not exist')
  if (offset === undefined) return { date, time }
  const ahead = parseOffsetMs(offset)
  if (ahead === null) throw timeFailure(typed, reading, 'has an invalid UTC offset')
  return { epochMs: wall - ahead }
}

/** Explains how a local time that a clock change skips or repeats is interpreted. Returns `null` for any other text. */
export function noteOnClockChange(text: string, reading: Omit<InstantReading, 'edge'>): string | null {
  const clock = readClock(text, { ...reading, weekdays: 'coming' })
  if (clock === null || 'epochMs' in clock) return null
  const local = `${clock.date}T${clock.time}`
  const instants = instantsOf(local, reading.timezone)
  if (instants.length === 1) return null
  const shown = `${reading.flag}: clocks in ${reading.timezone}`
  const at = `${clock.date} ${clock.time.slice(0, 5)}`
  const meant = localToInstant(local, reading.timezone)
  if (instants.length === 0) return `${shown} skip ${at}; ${formatInZone(meant, reading.timezone).slice(0, 16)} is used`
  return `${shown} show ${at} twice; the first one is used, ${toWireTime(meant).replace('.000Z', 'Z')}`
}

/** Converts a UTC offset to milliseconds. Returns `null` for an offset beyond 23:59. */
function parseOffsetMs(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))]
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function tryReadRelative(typed: string, { now, edge, flag }: InstantReading): number | null {
  if (typed.toLowerCase() === 'now') return now
  const signed = /^[+-]/.test(typed)
  const amount = tryParseDuration(signed ? typed.slice(1) : typed)
  if (amount === null) return null
  if (!signed && edge === 'upper')
    throw new Failure('USAGE', `${flag}: ${JSON.stringify(typed)} could be in the past or the future`, {
      hint: `write -${typed} for a time in the past, or +${typed} for a time in the future`,
      guide: 'times',
    })
  return typed.startsWith('+') ? now + amount : now - amount
}

/**
 * Creates the failure (exit code 2) for text that is not a usable time. `why` completes a message that begins with the
 * quoted text.
 */
export function timeFailure(
  text: string,
  { flag, examples = EXAMPLES }: Pick<InstantReading, 'flag' | 'examples'>,
  why: string,
): Failure {
  return new Failure('USAGE', `${flag}: ${JSON.stringify(text.slice(0, 40))} ${why}${meantDay(text)}`, {
    hint: examples,
    guide: 'times',
  })
}

/**
 * Returns a clause such as `; did you mean "tomorrow 18:00"?` if the name of a day is mistyped, otherwise an empty
 * string.
 */
function meantDay(text: string): string {
  const [, word = '', rest = ''] = /^\s*([a-z]{4,12})((?: +[\d:]{1,8})?)\s*$/i.exec(text) ?? []
  const day = word === '' ? null : findNearest(word, DAY_WORDS)
  return day === null || day === word.toLowerCase() ? '' : `; did you mean ${JSON.stringify(`${day}${rest}`)}?`
}
