import type { By, CardAtOpening, CardFound, Movement, NotShown, StillOpen } from './account.ts'
import type { CardState } from './card.ts'
import { mayBeWithin, type OwnWrite, placeOf, type Seen } from './own-writes.ts'
import { missingWhy } from './printed/reasons.ts'
import { type Flow, type Step, stepOf } from './step.ts'

/** One card, and what this machine did on it. */
export interface CardLife {
  readonly card: string
  readonly takenMs: readonly number[]
  readonly opening: CardAtOpening
  readonly changes: readonly CardFound[]
  readonly writes: readonly OwnWrite[]
  /** Whether any of the snapshots, or one before them, had the card. */
  readonly isListed: boolean
  readonly tellsWho: boolean
}

/** What became of one card. */
export interface CardAccount {
  readonly movements: readonly Movement[]
  readonly notShown: readonly NotShown[]
  readonly open: readonly StillOpen[]
  readonly notes: readonly string[]
}

/** A card between two snapshots that follow each other, of which the second found it changed. */
interface Span {
  readonly at: number
  readonly before: CardState | null
  readonly after: CardState | null
  readonly lastListed: CardState | null
}

/** Accounts for one card, and holds against it what this machine knows to have done. */
export function cardMovements(life: CardLife): CardAccount {
  const { card, takenMs, writes, isListed } = life
  const seen = seenOf(life)
  const placed = writes.map((write) => ({ write, at: placeOf(write, seen) }))
  const within = placed.filter(({ at }) => at !== null && at > 0)
  const done = within.filter(({ write }) => !write.isOpen)
  const redeems = done.filter(({ write }) => write.cents !== null)
  const spans = spansOf(life)
  const blind = spans.map((span) => stepOf({ ...span, known: 0n }))
  const { known, left } = shared(spans, blind, redeems)
  const steps = spans.map((span, index) => stepOf({ ...span, known: known[index] ?? 0n }))
  const cancels = writes.filter(({ isOpen, cents }) => !isOpen && cents === null)
  const movements = spans.flatMap((span, index) => {
    const step = steps[index] as Step
    const where = { card, afterMs: takenMs[span.at - 1] ?? 0, byMs: takenMs[span.at] ?? 0 }
    const states = { before: span.before?.status ?? null, after: span.after?.status ?? null }
    const isOwnCancel = cancels.some((write) => mayBeWithin(write, where.afterMs, where.byMs))
    const about = { tellsWho: life.tellsWho, known: known[index] ?? 0n, isOwnCancel }
    return step.flows.flatMap((flow) => shares(flow, about)).map((share) => ({ ...where, ...states, ...share }))
  })
  const isHidden = steps.some(({ hides }) => hides)
  const unshown = left > 0n && !isHidden ? [missing(life, left, redeems, blind)] : []
  const elsewhere = movements.filter(({ kind, by }) => kind === 'redeemed' && by !== 'this machine')
  const unknown = elsewhere.reduce((sum, { cents }) => sum - cents, 0n)
  return {
    movements,
    notShown: [...unshown, ...notCancelled(life, seen, done)],
    open: within
      .filter(({ write }) => write.isOpen)
      .map(({ write: { id, command, cents } }) => ({
        ...{ id, card, command, cents },
        fits: cents !== null && cents <= unknown,
      })),
    notes: [
      ...new Set(steps.flatMap(({ note }) => (note === null ? [] : [note]))),
      ...(left > 0n && isHidden && isListed ? [HIDDEN] : []),
    ],
  }
}

const HIDDEN =
  'whether the service shows all that this machine redeemed on it cannot be told: its balance rose, cannot be read, or it is gone'

/** The card at each of the snapshots. */
function seenOf({ takenMs, opening, changes }: CardLife): readonly Seen[] {
  const at = new Map(changes.map((change) => [change.at, change.state]))
  let state = opening.state
  return takenMs.map((ms, index) => {
    if (at.has(index)) state = at.get(index) ?? null
    return { takenMs: ms, state }
  })
}

function spansOf({ opening, changes }: CardLife): readonly Span[] {
  let { state, lastListed } = opening
  return changes.map((change) => {
    const span = { at: change.at, before: state, after: change.state, lastListed: state === null ? lastListed : null }
    state = change.state
    lastListed = change.state ?? lastListed
    return span
  })
}

/**
 * What of this machine's redemptions each span shows, in cents: first its own, then what others show too much of, as a list may lag
 * behind. `left`: what none shows.
 */
function shared(
  spans: readonly Span[],
  steps: readonly Step[],
  redeems: readonly { readonly write: OwnWrite; readonly at: number | null }[],
): { readonly known: readonly bigint[]; readonly left: bigint } {
  const room = steps.map(({ fall }) => fall)
  const known = steps.map(() => 0n)
  let left = 0n
  const give = (index: number, cents: bigint): bigint => {
    const taken = cents < (room[index] ?? 0n) ? cents : (room[index] ?? 0n)
    known[index] = (known[index] ?? 0n) + taken
    room[index] = (room[index] ?? 0n) - taken
    return cents - taken
  }
  for (const { write, at } of redeems) {
    const index = spans.findIndex((span) => span.at === at)
    const step = steps[index]
    // A balance that rose may hide any redemption.
    if (step?.hides && step.flows.some(({ kind }) => kind === 'adjusted'))
      known[index] = (known[index] ?? 0n) + (write.cents ?? 0n)
    else left += index < 0 ? (write.cents ?? 0n) : give(index, write.cents ?? 0n)
  }
  for (const index of spans.keys()) if (left > 0n) left = give(index, left)
  return { known, left }
}

/** A flow, in parts by who made it. */
function shares(
  flow: Flow,
  {
    tellsWho,
    known,
    isOwnCancel,
  }: { readonly tellsWho: boolean; readonly known: bigint; readonly isOwnCancel: boolean },
): (Flow & { readonly by: By })[] {
  if (!tellsWho) return [{ ...flow, by: null }]
  if (flow.kind === 'cancelled') return [{ ...flow, by: isOwnCancel ? 'this machine' : 'elsewhere' }]
  if (flow.kind !== 'redeemed') return [{ ...flow, by: null }]
  const whole = -flow.cents
  const here = known < whole ? known : whole
  const parts = [
    { ...flow, cents: -here, by: 'this machine' as const },
    { ...flow, cents: here - whole, by: 'elsewhere' as const },
  ]
  return parts.filter(({ cents }) => cents !== 0n)
}

function missing(
  { card, isListed }: CardLife,
  cents: bigint,
  redeems: readonly { readonly write: OwnWrite }[],
  steps: readonly Step[],
): NotShown {
  const shown = steps.reduce((sum, { fall }) => sum + fall, 0n)
  const operations = redeems.map(({ write }) => write.id)
  const command = redeems[0]?.write.command ?? 'giftcards redeem'
  return { card, command, cents, operations, why: missingWhy(shown, isListed) }
}

/** Cancellations of this machine on a card that the service had otherwise ever since. */
function notCancelled(
  { card, isListed }: CardLife,
  seen: readonly Seen[],
  done: readonly { readonly write: OwnWrite; readonly at: number | null }[],
): NotShown[] {
  const cancels = done.filter(({ write }) => write.cents === null)
  const [first] = cancels
  if (first === undefined) return []
  const closing = seen.at(-1)?.state ?? null
  const isShown = seen.slice(first.at ?? 0).some(({ state }) => state?.status === 'Cancelled')
  if (isShown || (closing === null && isListed)) return []
  const why =
    closing === null ? missingWhy(0n, false) : `the service has the card as ${closing.status ?? 'without a status'}`
  return [{ card, command: first.write.command, cents: null, operations: cancels.map(({ write }) => write.id), why }]
}
