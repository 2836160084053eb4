import { sumOf } from '../../../money/amount.ts'
import { findFirstSnapshot, mayBeWithin, type OwnWrite, type Seen } from './own-writes.ts'
import { explainMissing } from './printed/reasons.ts'
import type { CardAtOpening, CardFound } from './snapshots.ts'
import { explainStep, type Flow, type Step } from './step.ts'

/** Who caused a movement, or `null` if that is unknown or does not apply. */
export type By = 'this machine' | 'elsewhere' | null

export interface Movement extends Flow {
  readonly card: string
  /** The times of the snapshots before and after the movement, in epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly by: By
  readonly before: string | null
  readonly after: string | null
}

/** A write that this machine performed but that the service does not show. */
export interface NotShown {
  readonly card: string
  readonly command: string
  /** The redeemed amount that the service does not show, in cents, or `null` for a cancellation. */
  readonly cents: bigint | null
  /** The IDs of this machine's completed writes to the card in the period. */
  readonly operations: readonly string[]
  readonly why: string
}

/** A write that this machine sent and whose outcome is unknown. */
export interface OpenWrite extends Pick<OwnWrite, 'id' | 'card' | 'command' | 'cents'> {
  /** Whether redemptions made elsewhere on the same card add up to at least this write's amount. */
  readonly fits: boolean
}

interface CardLife {
  readonly card: string
  readonly takenMs: readonly number[]
  readonly opening: CardAtOpening
  readonly changes: readonly CardFound[]
  readonly writes: readonly OwnWrite[]
  /** Whether the card appears in any of these snapshots or in an earlier one. */
  readonly isListed: boolean
  readonly tellsWho: boolean
}

/** A write with the index of the first snapshot that reflects it. See {@link findFirstSnapshot}. */
type Placed = { readonly write: OwnWrite; readonly at: number | null }

type Span = ReturnType<typeof listSpans>[number]

/** Explains the changes to one card and compares them with this machine's writes. */
export function cardMovements(life: CardLife) {
  const { card, takenMs, writes, isListed } = life
  const seen = listStates(life)
  const placed = writes.map((write): Placed => ({ write, at: findFirstSnapshot(write, seen) }))
  const within = placed.filter(({ at }) => at !== null && at > 0)
  const done = within.filter(({ write }) => !write.isOpen)
  const redeems = done.filter(({ write }) => write.cents !== null)
  const spans = listSpans(life)
  const blind = spans.map((span) => explainStep({ ...span, known: 0n }))
  const { known, left } = distributeRedemptions(spans, blind, redeems)
  const steps = spans.map((span, index) => explainStep({ ...span, known: known[index] ?? 0n }))
  const cancels = writes.filter(({ isOpen, cents }) => !isOpen && cents === null)
  const movements = spans.flatMap((span, index): Movement[] => {
    const where = { card, afterMs: takenMs[span.at - 1] ?? 0, byMs: takenMs[span.at] ?? 0 }
    const states = { before: span.before?.status ?? null, after: span.after?.status ?? null }
    const isOwnCancel = cancels.some((write) => mayBeWithin(write, where.afterMs, where.byMs))
    const about = { tellsWho: life.tellsWho, known: known[index] ?? 0n, isOwnCancel }
    const flows = steps[index]?.flows.flatMap((flow) => splitByWho(flow, about)) ?? []
    return flows.map((flow) => ({ ...where, ...states, ...flow }))
  })
  const shown = sumOf(blind.map(({ fall }) => fall))
  const isHidden = steps.some(({ hides }) => hides)
  const elsewhere = movements.filter(({ kind, by }) => kind === 'redeemed' && by !== 'this machine')
  const unknown = -sumOf(elsewhere.map(({ cents }) => cents))
  return {
    movements,
    notShown: [
      ...(left > 0n && !isHidden ? [missingRedemption(life, left, redeems, shown)] : []),
      ...missingCancellations(life, seen, done),
    ],
    open: within.flatMap(({ write: { id, command, cents, isOpen } }): OpenWrite | [] =>
      isOpen ? { id, card, command, cents, fits: cents !== null && cents <= unknown } : [],
    ),
    notes: [
      ...new Set(steps.flatMap(({ note }) => note ?? [])),
      ...(left > 0n && isHidden && isListed ? [HIDDEN] : []),
    ],
  }
}

const HIDDEN =
  'the redemptions made on this machine cannot be checked: the balance rose or is unreadable, or the card is gone'

function listStates({ takenMs, opening, changes }: CardLife): readonly Seen[] {
  const at = new Map(changes.map((change) => [change.at, change.state]))
  let state = opening.state
  return takenMs.map((ms, index) => {
    if (at.has(index)) state = at.get(index) ?? null
    return { takenMs: ms, state }
  })
}

/** Returns the changes to a card, each with the card's state before the change. */
function listSpans({ opening, changes }: CardLife) {
  let { state, lastListed } = opening
  return changes.map((change) => {
    const span = { at: change.at, before: state, after: change.state, lastListed: state === null ? lastListed : null }
    state = change.state
    lastListed = change.state ?? lastListed
    return span
  })
}

/**
 * Assigns this machine's redemptions to the spans between snapshots. Each span takes at most the amount by which the
 * balance fell in it. The rest is assigned to other spans, because the service may show a redemption late. Returns the
 * cents assigned to each span (`known`) and the unassigned cents (`left`).
 */
function distributeRedemptions(spans: readonly Span[], steps: readonly Step[], redeems: readonly Placed[]) {
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
    const cents = write.cents ?? 0n
    const index = spans.findIndex((span) => span.at === at)
    const step = steps[index]
    // If the balance rose, redemptions of any amount may be hidden.
    if (step?.hides && step.flows.some(({ kind }) => kind === 'adjusted')) known[index] = (known[index] ?? 0n) + cents
    else left += index < 0 ? cents : give(index, cents)
  }
  for (const index of spans.keys()) if (left > 0n) left = give(index, left)
  return { known, left }
}

/**
 * Splits a change in the amount owed according to who caused it. `known` is the amount that this machine redeemed in
 * the span, in cents.
 */
function splitByWho(
  flow: Flow,
  { tellsWho, known, isOwnCancel }: { tellsWho: boolean; known: bigint; isOwnCancel: boolean },
): (Flow & { readonly by: By })[] {
  if (!tellsWho || (flow.kind !== 'cancelled' && flow.kind !== 'redeemed')) return [{ ...flow, by: null }]
  if (flow.kind === 'cancelled') return [{ ...flow, by: isOwnCancel ? 'this machine' : 'elsewhere' }]
  const whole = -flow.cents
  const here = known < whole ? known : whole
  const own = { ...flow, cents: -here, by: 'this machine' as const }
  const others = { ...flow, cents: here - whole, by: 'elsewhere' as const }
  return [own, others].filter(({ cents }) => cents !== 0n)
}

function missingRedemption(
  { card, isListed }: CardLife,
  cents: bigint,
  redeems: readonly Placed[],
  shown: bigint,
): NotShown {
  const operations = redeems.map(({ write }) => write.id)
  const command = redeems[0]?.write.command ?? 'giftcards redeem'
  return { card, command, cents, operations, why: explainMissing(shown, isListed) }
}

/** Reports this machine's cancellations of a card if no later snapshot shows the card as cancelled. */
function missingCancellations(
  { card, isListed }: CardLife,
  seen: readonly Seen[],
  done: readonly Placed[],
): NotShown[] {
  const cancels = done.filter(({ write }) => write.cents === null)
  const [first] = cancels
  if (first === undefined) return []
  const closing = seen.at(-1)?.state ?? null
  const isShown = seen.slice(first.at ?? 0).some(({ state }) => state?.status === 'Cancelled')
  if (isShown || (closing === null && isListed)) return []
  const why =
    closing === null
      ? explainMissing(0n, false)
      : `the service shows the card as ${closing.status ?? 'without a status'}`
  return [{ card, command: first.write.command, cents: null, operations: cancels.map(({ write }) => write.id), why }]
}
