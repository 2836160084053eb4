import { toWireTime } from '../../../base/time/instant.ts'
import { centsText, sumOf } from '../../../money/amount.ts'
import type { PeriodRecord } from '../output.ts'
import type { Movement } from './card-movements.ts'
import type { Statement } from './statement.ts'

/**
 * The statement as JSON: amounts in currency units, as text with two decimals.
 * @param source whose gift cards they are.
 * @param knownSinceMs how far back this machine's writes go, epoch milliseconds; null if their venue is not known.
 */
export function statementRecord(
  statement: Statement,
  { source, knownSinceMs }: { readonly source: string; readonly knownSinceMs: number | null },
): PeriodRecord {
  const { totals, movements } = statement
  const redeemedBy = (by: Movement['by']) => {
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
      ...{ cardNumber: card, command, amount: textOf(cents), operations: [...operations], why },
    })),
    open: statement.open.map(({ id, card, command, cents, fits }) => ({
      ...{ operation: id, cardNumber: card, command, amount: textOf(cents), fits },
    })),
    notes: statement.notes.map(({ card, text }) => ({ cardNumber: card, text })),
  }
}

function textOf(cents: bigint | null): string | null {
  return cents === null ? null : centsText(cents)
}
