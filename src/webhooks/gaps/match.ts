import { type Arrival, CLOCKS_MS } from './arrivals.ts'
import type { Change, Expected, Span } from './change.ts'
import { pairPrompt } from './pair-prompt.ts'

/** What became of a change, or of a delivery. */
export type Finding =
  | { readonly class: 'missing' | 'pending'; readonly change: Change }
  | { readonly class: 'late'; readonly change: Change; readonly arrival: Arrival }
  | { readonly class: 'extra' | 'duplicate'; readonly arrival: Arrival }

/** What comes later than this after its change is late, and what has not come by then is missing. Milliseconds. */
export const LATE_AFTER_MS = 15 * 60_000
/** The same event of the same booking within this time of another is a duplicate, unless a change lies between. Milliseconds. */
export const DUPLICATE_WITHIN_MS = 10 * 60_000
/** What comes later than this belongs to another change. Milliseconds. */
const LATEST_MS = 48 * 3_600_000

/**
 * Compares what one event of one booking or card was expected for with the deliveries that came, both in order. An event says what
 * changed and not when, so that it goes to the change it fits best:
 *
 * 1. Within a minute of a change, as many as possible, and each to the nearest.
 * 2. What came within 10 minutes of another, with no change between them, is a duplicate of it.
 * 3. What is left goes to the latest change before it that has none, at most two days before; a repair to whichever has none.
 * 4. What is left then is explained by a change that was overwritten, or is a duplicate, or extra.
 *
 * `knownToMs`: what was delivered by then is known; a change that is younger than 15 minutes then is pending.
 */
export function match({ changes, unseen }: Expected, arrivals: readonly Arrival[], knownToMs: number): Finding[] {
  const normal = arrivals.filter(({ isRepair }) => !isRepair)
  const taken = pairPrompt(changes, normal)
  const used = new Set(taken.values())
  const findings: Finding[] = []
  const rest: Arrival[] = []
  for (const [at, arrival] of normal.entries()) {
    if (used.has(arrival)) continue
    const before = normal[at - 1]
    const isRepeated =
      before !== undefined &&
      arrival.timeMs - before.timeMs <= DUPLICATE_WITHIN_MS &&
      !hasChange(changes, before.timeMs, arrival.timeMs)
    if (isRepeated) findings.push({ class: 'duplicate', arrival })
    else rest.push(arrival)
  }
  for (const arrival of rest) {
    const change = latestWithout(changes, taken, arrival.timeMs)
    if (change !== undefined && arrival.timeMs - change.byMs <= LATEST_MS) {
      taken.set(change, arrival)
      if (arrival.timeMs - change.byMs > LATE_AFTER_MS) findings.push({ class: 'late', change, arrival })
    } else if (!isUnseen(unseen, arrival.timeMs)) {
      const follows = normal.findLast(({ timeMs, line }) => isBefore({ timeMs, line }, arrival))
      const repeats = follows !== undefined && !hasChange(changes, follows.timeMs, arrival.timeMs)
      findings.push({ class: repeats ? 'duplicate' : 'extra', arrival })
    }
  }
  for (const arrival of arrivals) {
    const change = arrival.isRepair ? latestWithout(changes, taken, arrival.timeMs + CLOCKS_MS) : undefined
    if (change !== undefined) taken.set(change, arrival)
  }
  for (const change of changes)
    if (change.isCertain && !taken.has(change))
      findings.push({ class: change.byMs > knownToMs - LATE_AFTER_MS ? 'pending' : 'missing', change })
  return findings
}

function isBefore(one: Pick<Arrival, 'timeMs' | 'line'>, other: Arrival): boolean {
  return one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.line < other.line)
}

function hasChange(changes: readonly Change[], afterMs: number, toMs: number): boolean {
  return changes.some(({ byMs }) => byMs > afterMs && byMs <= toMs)
}

function latestWithout(
  changes: readonly Change[],
  taken: ReadonlyMap<Change, Arrival>,
  timeMs: number,
): Change | undefined {
  return changes.findLast((change) => change.byMs <= timeMs && !taken.has(change))
}

function isUnseen(unseen: readonly Span[], timeMs: number): boolean {
  return unseen.some(({ fromMs, toMs }) => timeMs >= fromMs - CLOCKS_MS && timeMs <= toMs + CLOCKS_MS)
}
