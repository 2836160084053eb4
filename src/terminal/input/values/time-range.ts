import { Failure } from '../../../base/failure/failure.ts'
import { type Clock, noteOnClockChange, parseInstant, toWireTime } from '../../../base/time/instant.ts'
import { type RangeRule, resolveRange, type TimeRange } from '../../../base/time/window.ts'

/** A range in the form in which the service takes times. */
export interface WireRange {
  readonly from: string
  readonly to: string
}

/**
 * Reads a pair of time flags that may both be left out, in the zone that it is given; null when they are.
 * To be called without a zone first, so that what is wrong is said before a profile is asked for. Fails: USAGE.
 */
export function optionalRange(
  given: { readonly from?: string | undefined; readonly to?: string | undefined },
  rule: RangeRule,
  now: number,
): (timezone: string | null) => TimeRange | null {
  return (timezone) =>
    given.from === undefined && given.to === undefined ? null : resolveRange(given, rule, { now, timezone })
}

/** Writes a range as it is sent with `--no-validate`: an end that cannot be read is sent as typed. */
export function uncheckedRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  clock: Clock,
): Partial<WireRange> {
  const [start, end] = [uncheckedTime(from, 'lower', clock), uncheckedTime(to, 'upper', clock)]
  return { ...(start === undefined ? {} : { from: start }), ...(end === undefined ? {} : { to: end }) }
}

function uncheckedTime(text: string | undefined, edge: 'lower' | 'upper', clock: Clock): string | undefined {
  if (text === undefined) return undefined
  try {
    return toWireTime(parseInstant(text, { ...clock, edge, flag: '' }))
  } catch (error) {
    if (error instanceof Failure) return text
    throw error
  }
}

/** Writes a range as it is sent; undefined for none. */
export function wireRange(range: TimeRange | null): WireRange | undefined {
  return range ? { from: toWireTime(range.fromMs), to: toWireTime(range.toMs) } : undefined
}

/** Warns of each time, by its flag, that clocks skip or show twice. */
export async function noteClockChanges(
  given: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  warn: (text: string) => Promise<void>,
): Promise<void> {
  for (const [flag, text] of Object.entries(given)) {
    const note = text === undefined ? null : noteOnClockChange(text, { ...clock, flag })
    if (note !== null) await warn(note)
  }
}
