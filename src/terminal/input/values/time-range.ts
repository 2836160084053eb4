import { Failure } from '../../../base/failure/failure.ts'
import { type Clock, noteOnClockChange, parseInstant, toWireTime } from '../../../base/time/instant.ts'
import { describeRange } from '../../../base/time/range-words.ts'
import { type RangeRule, resolveRange, type TimeRange } from '../../../base/time/window.ts'
import type { Opened } from '../../runtime/run.ts'
import type { Problems } from '../problems.ts'

type WireRange = { readonly from: string; readonly to: string }

type GivenRange = { readonly from?: string | undefined; readonly to?: string | undefined }

/**
 * Reads the optional range given with `--KIND-from` and `--KIND-to`. Returns the range as it is sent to the service,
 * and a description of it. With `--no-validate`, an unreadable time is sent as typed. Throws USAGE, listing all
 * problems, before a profile is needed.
 */
export async function readKindRange(
  { flags, connection, host, debug, warn }: Opened<object, object>,
  kind: 'issued' | 'updated',
  [from, to]: readonly [string | undefined, string | undefined],
  problems: Problems,
): Promise<{ readonly sent: Partial<WireRange>; readonly words: string }> {
  const given = { [`--${kind}-from`]: from, [`--${kind}-to`]: to }
  const rule = { fromFlag: `--${kind}-from`, toFlag: `--${kind}-to`, openEnd: 'now' } as const
  const now = host.now()
  const read = optionalRange({ from, to }, rule, now)
  if (!flags['no-validate']) problems.check(() => read(null))
  problems.throwIfAny()
  const timezone = await connection.timezone('list')
  if (flags['no-validate']) return { sent: uncheckedRange({ from, to }, { now, timezone }), words: '' }
  const range = read(timezone)
  const sent = range ? { from: toWireTime(range.fromMs), to: toWireTime(range.toMs) } : {}
  if (range) await debug(`window: ${sent.from} to ${sent.to}`)
  await warnAboutClockChanges(given, { now, timezone }, warn)
  return { sent, words: range ? `${kind === 'updated' ? 'changed' : kind} ${describeRange(range, timezone)}` : '' }
}

/**
 * Returns a function that resolves two optional time flags in a time zone. The function returns `null` if both flags
 * are absent, and throws USAGE if a time is invalid. Call it without a zone first, to report mistakes before a profile
 * is needed.
 */
export function optionalRange(given: GivenRange, rule: RangeRule, now: number) {
  return (timezone: string | null): TimeRange | null =>
    given.from === undefined && given.to === undefined ? null : resolveRange(given, rule, { now, timezone })
}

/** Formats a range for `--no-validate`. An unreadable time is sent as typed. */
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

/** Warns about each time that a clock change skips or repeats. */
export async function warnAboutClockChanges(
  given: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  warn: (text: string) => Promise<void>,
): Promise<void> {
  for (const [flag, text] of Object.entries(given)) {
    const note = text === undefined ? null : noteOnClockChange(text, { ...clock, flag })
    if (note !== null) await warn(note)
  }
}
