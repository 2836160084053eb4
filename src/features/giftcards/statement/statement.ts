import type { CardAtOpening, CardHistory, Movement, NotShown, StillOpen } from './account.ts'
import { type CardState, owedOn } from './card.ts'
import { cardMovements } from './card-movements.ts'
import type { OwnWrite } from './own-writes.ts'
import { type Flow, KINDS, type Kind } from './step.ts'

/** What is owed on gift cards at two moments, and why it differs. Cents. */
export interface Statement {
  readonly fromMs: number
  readonly toMs: number
  readonly snapshots: number
  readonly opening: bigint
  readonly closing: bigint
  /** How many cards something is owed on. */
  readonly openingCards: number
  readonly closingCards: number
  /** opening + all of these = closing. */
  readonly totals: Readonly<Record<Kind, bigint>>
  /** By card, and on each card in order of time. */
  readonly movements: readonly Movement[]
  readonly notShown: readonly NotShown[]
  readonly open: readonly StillOpen[]
  /** What was left out of the equation, and changes nothing in it. */
  readonly notes: readonly { readonly card: string; readonly text: string }[]
}

/** What is known on this machine. */
export interface KnownHere {
  /** Its writes on cards of this venue: those in the copy, and those that can be of no other. */
  readonly writes: readonly OwnWrite[]
  /** False: it is not known which writes are for this venue, and who made a redemption is not said. */
  readonly tellsWho: boolean
}

/** The numbers of the cards that a history has. */
export function cardsOf({ opening, changes }: CardHistory): ReadonlySet<string> {
  return new Set([...opening.keys(), ...changes.map(({ card }) => card)])
}

/** Makes the statement between the first and the last of some snapshots. */
export function makeStatement(history: CardHistory, { writes, tellsWho }: KnownHere): Statement {
  const { takenMs, opening } = history
  const [fromMs = 0, toMs = 0] = [takenMs[0], takenMs.at(-1)]
  const changes = Map.groupBy(history.changes, ({ card }) => card)
  const own = Map.groupBy(writes, ({ card }) => card)
  const movements: Movement[] = []
  const notShown: NotShown[] = []
  const open: StillOpen[] = []
  const notes: { card: string; text: string }[] = []
  const closing = new Map([...opening].map(([card, { state }]) => [card, state]))
  for (const { card, state } of history.changes) closing.set(card, state)
  for (const card of [...new Set([...changes.keys(), ...own.keys()])].sort()) {
    const found = cardMovements({
      ...{ card, takenMs, opening: opening.get(card) ?? NEW, isListed: closing.has(card), tellsWho },
      ...{ changes: changes.get(card) ?? [], writes: own.get(card) ?? [] },
    })
    movements.push(...found.movements)
    notShown.push(...found.notShown)
    open.push(...found.open)
    notes.push(...found.notes.map((text) => ({ card, text })))
  }
  const totals = Object.fromEntries(KINDS.map((kind) => [kind, sumOf(movements.filter((one) => one.kind === kind))]))
  const states = { opening: [...opening.values()].map(({ state }) => state), closing: [...closing.values()] }
  return {
    ...{ fromMs, toMs, snapshots: takenMs.length, movements, notShown, open, notes },
    ...{ opening: owedIn(states.opening), closing: owedIn(states.closing) },
    ...{ openingCards: owingCards(states.opening), closingCards: owingCards(states.closing) },
    totals: totals as Record<Kind, bigint>,
  }
}

const NEW: CardAtOpening = { state: null, lastListed: null }

function owedIn(states: readonly (CardState | null)[]): bigint {
  return states.reduce((sum, state) => sum + owedOn(state), 0n)
}

function owingCards(states: readonly (CardState | null)[]): number {
  return states.filter((state) => owedOn(state) !== 0n).length
}

function sumOf(flows: readonly Flow[]): bigint {
  return flows.reduce((sum, { cents }) => sum + cents, 0n)
}
