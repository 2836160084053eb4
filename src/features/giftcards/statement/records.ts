import { toWireTime } from '../../../base/time/instant.ts'
import { centsText } from '../../../money/amount.ts'
import type { Movement } from './account.ts'
import type { Statement } from './statement.ts'

/** What a statement is of, beside its figures. */
export interface StatementAbout {
  readonly source: string
  /** Since when this machine keeps what it redeemed, epoch milliseconds; null: it is not known which redemptions are for this venue. */
  readonly knownSinceMs: number | null
}

/** A statement as programs read it: amounts in currency units, as text with two decimals. */
export function statementRecord(statement: Statement, { source, knownSinceMs }: StatementAbout) {
  const { totals, movements } = statement
  const redeemedBy = (by: Movement['by']) =>
    knownSinceMs === null
      ? null
      : centsText(
          movements.reduce((sum, one) => (one.kind === 'redeemed' && one.by === by ? sum - one.cents : sum), 0n),
        )
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
    movements: movements.map(movementRecord),
    notShown: statement.notShown.map(({ card, command, cents, operations, why }) => ({
      cardNumber: card,
      command,
      amount: cents === null ? null : centsText(cents),
      operations: [...operations],
      why,
    })),
    open: statement.open.map(({ id, card, command, cents, fits }) => ({
      operation: id,
      cardNumber: card,
      command,
      amount: cents === null ? null : centsText(cents),
      fits,
    })),
    notes: statement.notes.map(({ card, text }) => ({ cardNumber: card, text })),
  }
}

/** A movement as programs read it. `amount`: what it did to what is owed, less than nothing for what was redeemed. */
function movementRecord({ card, kind, cents, by, afterMs, byMs, before, after, why }: Movement) {
  return {
    cardNumber: card,
    kind,
    amount: centsText(cents),
    by,
    after: toWireTime(afterMs),
    seen: toWireTime(byMs),
    statusBefore: before,
    statusAfter: after,
    why,
  }
}
