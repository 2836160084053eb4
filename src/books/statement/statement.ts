import { type CardState, owedOn } from './card.ts'
import { cardMovements } from './card-movements.ts'
import type { OwnWrite } from './own-writes.ts'
import { type Flow, KINDS, type Kind } from './step.ts'

/** What two dated snapshots of a copy, and those between them, have of the gift cards. */
export interface CardHistory {
  /** When the snapshots were taken, in order, epoch milliseconds by the service's clock: two or more. */
  readonly takenMs: readonly number[]
  /** Every card that was listed up to the first of them, by its number. */
  readonly opening: ReadonlyMap<string, CardAtOpening>
  /** What the later ones found to be otherwise than the one before, in their order. */
  readonly changes: readonly CardFound[]
}

/** A card at the first snapshot. */
export interface CardAtOpening {
  /** Null: it was not listed any more. */
  readonly state: CardState | null
  /** As it was when it was last listed. */
  readonly lastListed: CardState | null
}

/** What a snapshot found of a card. */
export interface CardFound {
  readonly card: string
  /** Which of the snapshots found it, from 1. */
  readonly at: number
  /** Null: it was not listed any more. */
  readonly state: CardState | null
}

/** Who made a movement: this machine, or somebody else, such as the POS next door; null where that does not arise, or is not known. */
export type By = 'this machine' | 'elsewhere' | null

/** A movement of what is owed, on one card. */
export interface Movement extends Flow {
  readonly card: string
  /** It happened after one snapshot, and was found by the next. Epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly by: By
  readonly before: string | null
  readonly after: string | null
}

/** A write that this machine made, and that the service does not show. */
export interface NotShown {
  readonly card: string
  /** `giftcards redeem` */
  readonly command: string
  /** What of it is not shown, in cents; null for a cancellation. */
  readonly cents: bigint | null
  /** The writes on that card that were done in the period. */
  readonly operations: readonly string[]
  readonly why: string
}

/** A write of this machine of which nobody knows whether it was done. */
export interface StillOpen {
  readonly id: string
  readonly card: string
  readonly command: string
  readonly cents: bigint | null
  /** Whether the service shows at least its amount as taken by nobody known. */
  readonly fits: boolean
}

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
