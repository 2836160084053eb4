import { toWireTime } from '../../../base/time/instant.ts'
import { centsText, centsTextOrNull, sumOf } from '../../../money/amount.ts'
import type { PeriodRecord } from '../output.ts'
import { type By, cardMovements } from './card-movements.ts'
import type { OwnWrite } from './own-writes.ts'
import type { CardAtOpening, CardHistory } from './snapshots.ts'
import { KINDS, type Kind, owedOn } from './step.ts'

/** What is owed on gift cards at two snapshots, and why it differs. Cents. */
export type Statement = ReturnType<typeof makeStatement>

export function cardsOf({ opening, changes }: CardHistory): ReadonlySet<string> {
  return new Set([...opening.keys(), ...changes.map(({ card }) => card)])
}

/**
 * Makes the statement between the first and the last snapshot. `writes`: those of this machine that are or may be on cards of
 * this venue. `tellsWho`: false if it is not known which are; then the statement does not say who made a redemption.
 */
export function makeStatement(
  history: CardHistory,
  { writes, tellsWho }: { readonly writes: readonly OwnWrite[]; readonly tellsWho: boolean },
) {
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
    /** opening + all of these = closing. */
    totals: Object.fromEntries(KINDS.map((kind) => [kind, totalOf(kind)])) as Record<Kind, bigint>,
    /** By card, then by time. */
    movements,
    notShown: accounts.flatMap((one) => one.notShown),
    open: accounts.flatMap((one) => one.open),
    /** Oddities that do not change the equation. */
    notes: accounts.flatMap((one) => one.notes),
  }
}

const NEW: CardAtOpening = { state: null, lastListed: null }

/** The statement as JSON. `knownSinceMs`: how far back our own writes go; null if their venue is unknown. */
export function statementRecord(
  statement: Statement,
  { source, knownSinceMs }: { readonly source: string; readonly knownSinceMs: number | null },
): PeriodRecord {
  const { totals, movements } = statement
  const redeemedBy = (by: By) => {
    const theirs = movements.filter((one) => one.kind === 'redeemed' && one.by === by)
    return knownSinceMs === null ? null : centsText(-sumOf(theirs.map(({ cents }) => cents)))
  }
  return {
    source,
    from: toWireTime(statement.fromMs),
    to: toWireTime(statement.toMs),
    snapshots: statement.snapshots,
    opening: { cards: statement.openingCards, amount: centsText(statement.opening) },
    issued: centsText(totals.issued),
    redeemed: centsText(-totals.redeemed),
    cancelled: centsText(-totals.cancelled),
    expired: centsText(-totals.expired),
    adjusted: centsText(totals.adjusted),
    notExplained: centsText(totals['not-explained']),
    closing: { cards: statement.closingCards, amount: centsText(statement.closing) },
    redeemedHere: redeemedBy('this machine'),
    redeemedElsewhere: redeemedBy('elsewhere'),
    knownSince: knownSinceMs === null ? null : toWireTime(knownSinceMs),
    movements: movements.map(({ card, kind, cents, by, afterMs, byMs, before, after, why }) => ({
      ...{ cardNumber: card, kind, amount: centsText(cents), by, after: toWireTime(afterMs), seen: toWireTime(byMs) },
      ...{ statusBefore: before, statusAfter: after, why },
    })),
    notShown: statement.notShown.map(({ card, command, cents, operations, why }) => ({
      ...{ cardNumber: card, command, amount: centsTextOrNull(cents), operations: [...operations], why },
    })),
    open: statement.open.map(({ id, card, command, cents, fits }) => ({
      ...{ operation: id, cardNumber: card, command, amount: centsTextOrNull(cents), fits },
    })),
    notes: statement.notes.map(({ card, text }) => ({ cardNumber: card, text })),
  }
}
