import { type Arrival, CLOCKS_MS } from './arrivals.ts'
import type { Change } from './change.ts'

/** What comes within this time after a change came of it. Milliseconds. */
const PROMPT_MS = 60_000
/** So many pairs are weighed against each other. */
const MOST_WEIGHED = 1_000_000

/**
 * Pairs changes with deliveries that came promptly, both in order: as many as possible, and of the ways to do that, the one with the
 * least time between them.
 */
export function pairPrompt(changes: readonly Change[], arrivals: readonly Arrival[]): Map<Change, Arrival> {
  const pairs = new Map<Change, Arrival>()
  let next = 0
  for (let at = 0; at < changes.length; ) {
    // Changes so close to each other that one delivery may be of either.
    const group: Change[] = []
    let endMs = Number.NEGATIVE_INFINITY
    for (let change = changes[at]; change && (group.length === 0 || change.afterMs - CLOCKS_MS <= endMs); ) {
      group.push(change)
      endMs = Math.max(endMs, change.byMs + PROMPT_MS)
      change = changes[++at]
    }
    const fromMs = (group[0]?.afterMs ?? 0) - CLOCKS_MS
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) < fromMs) next++
    const start = next
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) <= endMs) next++
    const near = arrivals.slice(start, next)
    const pairing = group.length * near.length > MOST_WEIGHED ? inOrder(group, near) : best(group, near)
    for (const [change, arrival] of pairing) pairs.set(change, arrival)
  }
  return pairs
}

/** How long after a change, or before it, a delivery came. Null: not promptly. */
function distance({ afterMs, byMs }: Change, { timeMs }: Arrival): number | null {
  if (timeMs < afterMs - CLOCKS_MS || timeMs > byMs + PROMPT_MS) return null
  return timeMs < afterMs ? afterMs - timeMs : Math.max(0, timeMs - byMs)
}

/** As many as possible, not the nearest: each change takes the first that is left. */
function inOrder(changes: readonly Change[], arrivals: readonly Arrival[]): [Change, Arrival][] {
  const pairs: [Change, Arrival][] = []
  let next = 0
  for (const change of changes) {
    while ((arrivals[next]?.timeMs ?? Number.POSITIVE_INFINITY) < change.afterMs - CLOCKS_MS) next++
    const arrival = arrivals[next]
    if (arrival === undefined || distance(change, arrival) === null) continue
    pairs.push([change, arrival])
    next++
  }
  return pairs
}

/** More is better than anything nearer. */
const ONE_PAIR = 2 ** 40

/** Table by table: the worth of the best pairing of the first changes with the first deliveries. */
function best(changes: readonly Change[], arrivals: readonly Arrival[]): [Change, Arrival][] {
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
    // Of two that are as good, the first delivery is the one, and the second its duplicate.
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
