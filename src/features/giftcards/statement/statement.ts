import { sumOf } from '../../../money/amount.ts'
import { cardMovements, type Movement, type NotShown, type StillOpen } from './card-movements.ts'
import type { OwnWrite } from './own-writes.ts'
import type { CardAtOpening, CardHistory } from './snapshots.ts'
import { KINDS, type Kind, owedOn } from './step.ts'

/** What is owed on gift cards at two moments, and why it differs. Cents. */
export interface Statement {
  readonly fromMs: number
  readonly toMs: number
  readonly snapshots: number
  readonly opening: bigint
  readonly closing: bigint
  readonly openingCards: number
  readonly closingCards: number
  /** opening + all of these = closing. */
  readonly totals: Readonly<Record<Kind, bigint>>
  /** By card, then by time. */
  readonly movements: readonly Movement[]
  readonly notShown: readonly NotShown[]
  readonly open: readonly StillOpen[]
  /** Oddities that do not change the equation. */
  readonly notes: readonly { readonly card: string; readonly text: string }[]
}

export function cardsOf({ opening, changes }: CardHistory): ReadonlySet<string> {
  return new Set([...opening.keys(), ...changes.map(({ card }) => card)])
}

/**
 * Makes the statement between the first and the last of some snapshots.
 * @param known this machine's writes that are or may be on cards of this venue. `tellsWho`: false if it is not known
 * which writes are for this venue; then the statement does not say who made a redemption.
 */
export function makeStatement(
  history: CardHistory,
  { writes, tellsWho }: { readonly writes: readonly OwnWrite[]; readonly tellsWho: boolean },
): Statement {
  const { takenMs, opening } = history
  const changes = Map.groupBy(history.changes, ({ card }) => card)
  const own = Map.groupBy(writes, ({ card }) => card)
  const closing = new Map([...opening].map(([card, { state }]) => [card, state]))
  for (const { card, state } of history.changes) closing.set(card, state)
  const accounts = [...new Set([...changes.keys(), ...own.keys()])].sort().map((card) => {
    const found = cardMovements({
      ...{ card, takenMs, opening: opening.get(card) ?? NEW, isListed: closing.has(card), tellsWho },
      ...{ changes: changes.get(card) ?? [], writes: own.get(card) ?? [] },
    })
    return { ...found, notes: found.notes.map((text) => ({ card, text })) }
  })
  const movements = accounts.flatMap((one) => one.movements)
  const totalOf = (kind: Kind) => sumOf(movements.filter((one) => one.kind === kind).map(({ cents }) => cents))
  const owed = {
    opening: [...opening.values()].map(({ state }) => owedOn(state)),
    closing: [...closing.values()].map(owedOn),
  }
  return {
    ...{ fromMs: takenMs[0] ?? 0, toMs: takenMs.at(-1) ?? 0, snapshots: takenMs.length },
    ...{ opening: sumOf(owed.opening), closing: sumOf(owed.closing) },
    openingCards: owed.opening.filter((cents) => cents !== 0n).length,
    closingCards: owed.closing.filter((cents) => cents !== 0n).length,
    totals: Object.fromEntries(KINDS.map((kind) => [kind, totalOf(kind)])) as Record<Kind, bigint>,
    movements,
    notShown: accounts.flatMap((one) => one.notShown),
    open: accounts.flatMap((one) => one.open),
    notes: accounts.flatMap((one) => one.notes),
  }
}

const NEW: CardAtOpening = { state: null, lastListed: null }
