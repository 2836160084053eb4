import { Failure, usageFailure } from '../failure/failure.ts'
import { type Clock, parseInstant } from './instant.ts'
import { endOfDay } from './zone.ts'

/** A span of time in epoch milliseconds; both ends belong to it. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** The two date filters of the booking list, as typed; undefined for a flag that was not given. */
export interface WindowFlags {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly updatedFrom?: string | undefined
  readonly updatedTo?: string | undefined
}

/** Which bookings are asked for: by the time they are booked for, or by the time they were last changed. */
export interface BookingWindow extends TimeRange {
  readonly kind: 'booking' | 'updated'
}

/** How a pair of flags is named, and where the range ends when only the first is given. */
export interface RangeRule {
  readonly fromFlag: string
  readonly toFlag: string
  /** `now`, or `day`: the last millisecond of the day that the range starts on. */
  readonly openEnd: 'now' | 'day'
}

const BOOKING_DATE: RangeRule = { fromFlag: '--from', toFlag: '--to', openEnd: 'day' }
const LAST_CHANGE: RangeRule = { fromFlag: '--updated-from', toFlag: '--updated-to', openEnd: 'now' }
const HINT =
  'give one kind: --updated-from TIME [--updated-to TIME] for bookings changed in that time, ' +
  'or --from TIME [--to TIME] for the time they are booked for'

/**
 * The window that the date filters of the booking list ask for. `--updated-from` alone is until now, `--from` alone is that
 * day to its end. Mixed kinds or none would be answered with nothing and no error, so they never get that far.
 * Fails: USAGE with every problem: both kinds, none, an end without its start, a time that cannot be read, start after end.
 * Source: Endpoints, "Other endpoints", GET /Bookings.
 */
export function resolveWindow(flags: WindowFlags, clock: Clock): BookingWindow {
  const booking = { from: flags.from, to: flags.to }
  const updated = { from: flags.updatedFrom, to: flags.updatedTo }
  const byBooking = isGiven(booking)
  const byUpdate = isGiven(updated)
  if (!byBooking && !byUpdate) throw usageFailure(['--from or --updated-from is required'], HINT)
  if (byBooking && byUpdate) {
    const mixed = `${flagsOf(booking, BOOKING_DATE)} and ${flagsOf(updated, LAST_CHANGE)} cannot be given together`
    const unread = [...endsOf(booking, BOOKING_DATE, clock).problems, ...endsOf(updated, LAST_CHANGE, clock).problems]
    throw together([new Failure('USAGE', mixed, { hint: HINT }), ...unread], '')
  }
  return byBooking
    ? { kind: 'booking', ...resolveRange(booking, BOOKING_DATE, clock) }
    : { kind: 'updated', ...resolveRange(updated, LAST_CHANGE, clock) }
}

/**
 * The range that a pair of flags asks for; the first must be given.
 * Fails: USAGE with every problem: the first is missing, a time that cannot be read, start after end.
 */
export function resolveRange(given: GivenRange, rule: RangeRule, clock: Clock): TimeRange {
  const { from, to, problems } = endsOf(given, rule, clock)
  if (given.from === undefined) {
    const what = given.to === undefined ? `${rule.fromFlag} is required` : `${rule.toFlag} needs ${rule.fromFlag}`
    problems.unshift(new Failure('USAGE', what))
  }
  if (from === null || problems.length > 0) throw together(problems, `${rule.fromFlag} TIME [${rule.toFlag} TIME]`)
  const openEnd = rule.openEnd === 'now' ? clock.now : endOfDay(from, clock.timezone)
  const range = { fromMs: from, toMs: to ?? openEnd }
  if (range.fromMs <= range.toMs) return range
  const end = given.to === undefined ? 'now' : `${rule.toFlag} ${given.to.trim()}`
  throw usageFailure([`${rule.fromFlag} ${given.from?.trim()} is after ${end}`], 'the time must start before it ends')
}

/**
 * The windows of at most `maxMs` milliseconds that together cover a range, in order, none overlapping: each starts one
 * millisecond after the one before it ends. Made one by one as they are asked for, since there may be very many.
 * Fails: RangeError, when `maxMs` is below 1.
 */
export function* splitWindow(fromMs: number, toMs: number, maxMs: number): Generator<TimeRange, void, undefined> {
  if (!(maxMs >= 1)) throw new RangeError('a window must be at least one millisecond long')
  for (let start = fromMs; start <= toMs; start += maxMs) {
    yield { fromMs: start, toMs: Math.min(start + maxMs - 1, toMs) }
  }
}

interface GivenRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Both ends, null where none was given or it could not be read, and what was wrong with them. */
function endsOf(given: GivenRange, rule: RangeRule, clock: Clock) {
  const problems: Failure[] = []
  const read = (text: string | undefined, edge: 'lower' | 'upper', flag: string): number | null => {
    if (text === undefined) return null
    try {
      return parseInstant(text, { ...clock, edge, flag })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      problems.push(error)
      return null
    }
  }
  return { from: read(given.from, 'lower', rule.fromFlag), to: read(given.to, 'upper', rule.toFlag), problems }
}

/** One failure for several, with the hint of the first that has one. */
function together(problems: readonly Failure[], usage: string): Failure {
  const messages = new Set(problems.map((problem) => problem.message))
  return usageFailure([...messages], problems.find((problem) => problem.hint !== undefined)?.hint ?? `give ${usage}`)
}

function isGiven(range: GivenRange): boolean {
  return range.from !== undefined || range.to !== undefined
}

/** The flags that were given, as a person reads them. */
function flagsOf(range: GivenRange, rule: RangeRule): string {
  return [range.from === undefined ? [] : rule.fromFlag, range.to === undefined ? [] : rule.toFlag].flat().join(' ')
}
