import { Failure, usageFailure } from '../failure/failure.ts'
import { type Clock, parseInstant, readClock } from './instant.ts'
import { dateIn, endOfDay, startOfDay } from './zone.ts'

/** A time range in epoch milliseconds. Both ends are included. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number }

/**
 * Returns the day (such as `2026-11-20`) that contains the whole range, or `null` if the range spans several days. If
 * `zone` is `null`, uses UTC.
 */
export function getSingleDay({ fromMs, toMs }: TimeRange, zone: string | null): string | null {
  const day = dateIn(fromMs, zone)
  return day === dateIn(toMs, zone) ? day : null
}

/** The date filters of the booking list, as the user typed them. */
export interface WindowFlags {
  readonly date?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly updatedFrom?: string | undefined
  readonly updatedTo?: string | undefined
}

/** Selects bookings by booking time (`booking`) or by the time of their last change (`updated`). */
export type BookingWindow = TimeRange & { readonly kind: 'booking' | 'updated' }

/** A pair of flags that specifies a time range. */
export interface RangeRule {
  readonly fromFlag: string
  readonly toFlag: string
  /** Where the range ends if only its start is given. `day` means the last millisecond of the first day. */
  readonly openEnd: 'now' | 'day'
}

const BOOKING_DATE: RangeRule = { fromFlag: '--from', toFlag: '--to', openEnd: 'day' }
const LAST_CHANGE: RangeRule = { fromFlag: '--updated-from', toFlag: '--updated-to', openEnd: 'now' }
const HINT =
  'to select bookings by their last change, use --updated-from TIME [--updated-to TIME]; ' +
  'to select them by booking time, use --date DAY, or --from TIME [--to TIME]'

/**
 * Converts the date filters of the booking list to a range. The default is today. Rejects combinations of filters for
 * which the service would return an empty list instead of an error. Throws a USAGE failure that lists every problem.
 * Source: Endpoints, "Other endpoints", GET /Bookings.
 */
export function resolveWindow(flags: WindowFlags, clock: Clock): BookingWindow {
  const booking = { from: flags.from, to: flags.to }
  const updated = { from: flags.updatedFrom, to: flags.updatedTo }
  const byBooking = nameFlags(booking, BOOKING_DATE)
  const byUpdate = nameFlags(updated, LAST_CHANGE)
  if (flags.date !== undefined && (byBooking || byUpdate)) {
    const others = `${byBooking} ${byUpdate}`.trim()
    throw usageFailure([`--date and ${others} cannot be used together`], HINT, 'times')
  }
  if (!byBooking && !byUpdate) return { kind: 'booking', ...resolveDay(flags.date ?? 'today', '--date', clock) }
  if (byBooking && byUpdate) {
    const mixed = `${byBooking} and ${byUpdate} cannot be used together`
    const [booked, changed] = [readEnds(booking, BOOKING_DATE, clock), readEnds(updated, LAST_CHANGE, clock)]
    throw combine([new Failure('USAGE', mixed, { hint: HINT }), ...booked.problems, ...changed.problems], '')
  }
  return byBooking
    ? { kind: 'booking', ...resolveRange(booking, BOOKING_DATE, clock) }
    : { kind: 'updated', ...resolveRange(updated, LAST_CHANGE, clock) }
}

/** Converts a day to the range from its start to its end. Throws USAGE if the text is not a day. */
function resolveDay(text: string, flag: string, clock: Clock): TimeRange {
  if (readClock(text, { ...clock, flag, weekdays: 'coming' }) !== null)
    throw usageFailure(
      [`${flag}: ${JSON.stringify(text.slice(0, 40))} is a time, not a day`],
      'use a day, such as 2026-11-20 or tomorrow, or --from TIME --to TIME',
      'times',
    )
  const at = parseInstant(text, { ...clock, edge: 'lower', flag, weekdays: 'coming' })
  return { fromMs: startOfDay(at, clock.timezone), toMs: endOfDay(at, clock.timezone) }
}

/** Converts a pair of flags to a range. The first flag is required. Throws a USAGE failure that lists every problem. */
export function resolveRange(given: GivenRange, rule: RangeRule, clock: Clock): TimeRange {
  const { from, to, problems } = readEnds(given, rule, clock)
  if (given.from === undefined) {
    const what = given.to === undefined ? `${rule.fromFlag} is required` : `${rule.toFlag} needs ${rule.fromFlag}`
    problems.unshift(new Failure('USAGE', what))
  }
  if (from === null || problems.length > 0) throw combine(problems, `${rule.fromFlag} TIME [${rule.toFlag} TIME]`)
  const openEnd = rule.openEnd === 'now' ? clock.now : endOfDay(from, clock.timezone)
  const range = { fromMs: from, toMs: to ?? openEnd }
  if (range.fromMs <= range.toMs) return range
  const end = given.to === undefined ? 'now' : `${rule.toFlag} ${given.to.trim()}`
  const problem = `${rule.fromFlag} ${given.from?.trim()} is after ${end}`
  throw usageFailure([problem], 'the range must start before it ends', 'times')
}

/**
 * Splits a range lazily into windows of at most `maxMs`. Each window starts at the instant the previous one ends,
 * because the service may compare times with more than millisecond precision. Throws RangeError if `maxMs` is less than
 * 1.
 */
export function* splitWindow(fromMs: number, toMs: number, maxMs: number): Generator<TimeRange, void, undefined> {
  if (!(maxMs >= 1)) throw new RangeError('a window must be at least one millisecond long')
  let start = fromMs
  do {
    const end = Math.min(start + maxMs, toMs)
    yield { fromMs: start, toMs: end }
    start = end
  } while (start < toMs)
}

type GivenRange = { readonly from?: string | undefined; readonly to?: string | undefined }

/** Parses both ends of a range and collects the problems. Returns `null` for an end that is missing or invalid. */
function readEnds(given: GivenRange, rule: RangeRule, clock: Clock) {
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

function combine(problems: readonly Failure[], usage: string): Failure {
  const messages = new Set(problems.map((problem) => problem.message))
  const hint = problems.find((problem) => problem.hint !== undefined)?.hint ?? `use ${usage}`
  return usageFailure([...messages], hint, 'times')
}

/** Lists which flags of a range were given, such as `--from --to`. Returns an empty string if neither was given. */
function nameFlags(range: GivenRange, rule: RangeRule): string {
  return [range.from === undefined ? [] : rule.fromFlag, range.to === undefined ? [] : rule.toFlag].flat().join(' ')
}
