import { type Arrival, CLOCK_SKEW_MS } from './arrivals.ts'
import type { Change, Expected, Span } from './change.ts'

/** A finding about a change without a delivery, a delivery without a change, or a late delivery. */
export type Finding =
  | { readonly class: 'missing' | 'pending'; readonly change: Change }
  | { readonly class: 'late'; readonly change: Change; readonly arrival: Arrival }
  | { readonly class: 'extra' | 'duplicate'; readonly arrival: Arrival }

/**
 * A delivery that arrives more than this many milliseconds after its change is late. Until then, a change without a
 * delivery is pending, not missing.
 */
export const LATE_AFTER_MS = 15 * 60_000
/** An event that is repeated within this many milliseconds, without a change in between, is a duplicate. */
export const DUPLICATE_WITHIN_MS = 10 * 60_000
/** A delivery that arrives more than this many milliseconds after a change does not belong to that change. */
const LATEST_MS = 48 * 3_600_000

/**
 * Matches the changes to one booking or card with the deliveries of one event. Both are in chronological order. An
 * event does not contain the time of its change, so the matching is a guess, in four steps:
 *
 * 1. As many deliveries as possible are paired with a change that happened within a minute of them.
 * 2. A delivery within 10 minutes of the previous one is a duplicate unless a change happened in between.
 * 3. Each other delivery belongs to the latest unmatched change in the two days before it. A repair may belong to an
 *    older change.
 * 4. A remaining delivery is ignored if a change that no sync recorded may have triggered it. Otherwise it is a
 *    duplicate if no change happened since the previous delivery, and extra in all other cases.
 *
 * Deliveries are known up to `knownToMs`. An unmatched change in the last 15 minutes before that is pending.
 */
export function match({ changes, unseen }: Expected, arrivals: readonly Arrival[], knownToMs: number): Finding[] {
  const normal = arrivals.filter(({ isRepair }) => !isRepair)
  const pairs = pairPrompt(changes, normal)
  const used = new Set(pairs.values())
  const free = new UnmatchedChanges(changes, pairs)
  const findings: Finding[] = []
  const rest: { readonly arrival: Arrival; readonly before: Arrival | undefined }[] = []
  for (const [at, arrival] of normal.entries()) {
    if (used.has(arrival)) continue
    const before = normal[at - 1]
    const isRepeated =
      before !== undefined &&
      arrival.timeMs - before.timeMs <= DUPLICATE_WITHIN_MS &&
      !hasChange(changes, before.timeMs, arrival.timeMs)
    if (isRepeated) findings.push({ class: 'duplicate', arrival })
    else rest.push({ arrival, before })
  }
  for (const { arrival, before } of rest) {
    const change = free.latest(arrival.timeMs)
    if (change !== undefined && arrival.timeMs - change.byMs <= LATEST_MS) {
      free.take(change, arrival)
      if (arrival.timeMs - change.byMs > LATE_AFTER_MS) findings.push({ class: 'late', change, arrival })
    } else if (!isUnseen(unseen, arrival.timeMs)) {
      const repeats = before !== undefined && !hasChange(changes, before.timeMs, arrival.timeMs)
      findings.push({ class: repeats ? 'duplicate' : 'extra', arrival })
    }
  }
  for (const arrival of arrivals) {
    const change = arrival.isRepair ? free.latest(arrival.timeMs + CLOCK_SKEW_MS) : undefined
    if (change !== undefined) free.take(change, arrival)
  }
  for (const change of changes)
    if (change.isCertain && !pairs.has(change))
      findings.push({ class: change.byMs > knownToMs - LATE_AFTER_MS ? 'pending' : 'missing', change })
  return findings
}

function hasChange(changes: readonly Change[], afterMs: number, toMs: number): boolean {
  const next = changes[countWhile(changes, ({ byMs }) => byMs <= afterMs)]
  return next !== undefined && next.byMs <= toMs
}

function isUnseen(unseen: readonly Span[], timeMs: number): boolean {
  const last = unseen[countWhile(unseen, ({ fromMs }) => fromMs - CLOCK_SKEW_MS <= timeMs) - 1]
  return last !== undefined && timeMs <= last.toMs + CLOCK_SKEW_MS
}

/** Returns how many items pass the test, using binary search. All items that pass must come before those that fail. */
function countWhile<T>(sorted: readonly T[], passes: (one: T) => boolean): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (passes(sorted[middle] as T)) from = middle + 1
    else to = middle
  }
  return from
}

/** The changes that have no delivery yet. */
class UnmatchedChanges {
  readonly #changes: readonly Change[]
  readonly #pairs: Map<Change, Arrival>
  /**
   * Lets the search skip matched changes. If the entry at index n is m, all changes from index m up to n (exclusive)
   * are matched.
   */
  readonly #shorter: number[]

  constructor(changes: readonly Change[], pairs: Map<Change, Arrival>) {
    this.#changes = changes
    this.#pairs = pairs
    this.#shorter = Array.from({ length: changes.length + 1 }, (_, count) => count)
  }

  /** Returns the latest unmatched change that happened at or before a time. */
  latest(timeMs: number): Change | undefined {
    const start = countWhile(this.#changes, ({ byMs }) => byMs <= timeMs)
    let count = start
    for (let last = this.#changes[count - 1]; last && this.#pairs.has(last); last = this.#changes[count - 1])
      count = Math.min(count - 1, this.#shorter[count - 1] as number)
    // Shorten the path so that the next search takes fewer steps.
    for (let at = start; at > count; ) {
      const next = Math.min(at - 1, this.#shorter[at] as number)
      this.#shorter[at] = count
      at = next
    }
    return this.#changes[count - 1]
  }

  take(change: Change, arrival: Arrival): void {
    this.#pairs.set(change, arrival)
  }
}

/** A delivery that arrives within this many milliseconds of a change belongs to that change. */
const PROMPT_MS = 60_000
/**
 * The maximum size of an exact pairing: the number of changes times the number of deliveries. Larger pairings are
 * approximate.
 */
const MAX_PAIRING_CELLS = 1_000_000

/**
 * Pairs as many changes as possible with prompt deliveries, in order. Minimizes the total delay of these deliveries.
 */
function pairPrompt(changes: readonly Change[], arrivals: readonly Arrival[]): Map<Change, Arrival> {
  const pairs = new Map<Change, Arrival>()
  let next = 0
  for (let at = 0; at < changes.length; ) {
    // A group consists of changes that are so close together that a delivery may belong to any of them.
    const group: Change[] = []
    let endMs = Number.NEGATIVE_INFINITY
    for (let change = changes[at]; change && (group.length === 0 || change.afterMs - CLOCK_SKEW_MS <= endMs); ) {
      group.push(change)
      endMs = Math.max(endMs, change.byMs + PROMPT_MS)
      change = changes[++at]
    }
    const fromMs = (group[0]?.afterMs ?? 0) - CLOCK_SKEW_MS
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) < fromMs) next++
    const start = next
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) <= endMs) next++
    const near = arrivals.slice(start, next)
    const pairing = group.length * near.length > MAX_PAIRING_CELLS ? pairInOrder(group, near) : pairBest(group, near)
    for (const [change, arrival] of pairing) pairs.set(change, arrival)
  }
  return pairs
}

/** Returns the milliseconds between a change and a delivery, or `null` if the delivery was not prompt. */
function distance({ afterMs, byMs }: Change, { timeMs }: Arrival): number | null {
  if (timeMs < afterMs - CLOCK_SKEW_MS || timeMs > byMs + PROMPT_MS) return null
  return timeMs < afterMs ? afterMs - timeMs : Math.max(0, timeMs - byMs)
}

/** Quickly approximates {@link pairBest} by pairing each change with the first unused delivery. */
function pairInOrder(changes: readonly Change[], arrivals: readonly Arrival[]): [Change, Arrival][] {
  const pairs: [Change, Arrival][] = []
  let next = 0
  for (const change of changes) {
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) < change.afterMs - CLOCK_SKEW_MS) next++
    const arrival = arrivals[next]
    if (arrival === undefined || distance(change, arrival) === null) continue
    pairs.push([change, arrival])
    next++
  }
  return pairs
}

/** The value of one pair. It is greater than any total distance, so the number of pairs takes precedence. */
const ONE_PAIR = 2 ** 40

/** Finds the best pairing with dynamic programming over prefixes of the changes and the deliveries. */
function pairBest(changes: readonly Change[], arrivals: readonly Arrival[]): [Change, Arrival][] {
  if (arrivals.length === 0) return []
  const width = arrivals.length + 1
  const worth = new Float64Array((changes.length + 1) * width)
  const worthOf = (at: number, to: number) => worth[at * width + to] ?? 0
  const worthOfPair = (at: number, to: number): number => {
    const [change, arrival] = [changes[at - 1], arrivals[to - 1]]
    const apart = change && arrival ? distance(change, arrival) : null
    return apart === null ? Number.NEGATIVE_INFINITY : worthOf(at - 1, to - 1) + ONE_PAIR - apart
  }
  for (let at = 1; at <= changes.length; at++)
    for (let to = 1; to <= arrivals.length; to++)
      worth[at * width + to] = Math.max(worthOf(at - 1, to), worthOf(at, to - 1), worthOfPair(at, to))
  const pairs: [Change, Arrival][] = []
  let [at, to] = [changes.length, arrivals.length]
  while (at > 0 && to > 0) {
    const here = worthOf(at, to)
    const [change, arrival] = [changes[at - 1], arrivals[to - 1]]
    // If two deliveries are equally close to a change, the later one counts as the duplicate.
    if (here === worthOf(at, to - 1)) to--
    else if (here === worthOf(at - 1, to)) at--
    else {
      if (change && arrival) pairs.push([change, arrival])
      at--
      to--
    }
  }
  return pairs
}
