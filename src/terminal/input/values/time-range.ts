import { Failure } from '../../../base/failure/failure.ts'
import { type Clock, noteOnClockChange, parseInstant, toWireTime } from '../../../base/time/instant.ts'
import { type RangeRule, resolveRange, type TimeRange } from '../../../base/time/window.ts'

/** A range in the service's format. */
export type WireRange = { readonly from: string; readonly to: string }

type GivenRange = { readonly from?: string | undefined; readonly to?: string | undefined }

/** Reads two optional time flags, or null. Call it without a zone first, before a profile is needed. Fails: USAGE. */
export function optionalRange(given: GivenRange, rule: RangeRule, now: number) {
  return (timezone: string | null): TimeRange | null =>
    given.from === undefined && given.to === undefined ? null : resolveRange(given, rule, { now, timezone })
}

/** Formats a range for `--no-validate`: an end that cannot be read is sent as typed. */
export function uncheckedRange({ from, to }: GivenRange, clock: Clock): Partial<WireRange> {
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

/** Formats a range for the service. */
export function wireRange(range: TimeRange | null): WireRange | undefined {
  return range ? { from: toWireTime(range.fromMs), to: toWireTime(range.toMs) } : undefined
}

/** Warns of each time that clocks skip or show twice. */
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
