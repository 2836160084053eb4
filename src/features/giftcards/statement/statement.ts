import { toWireTime } from '../../../base/time/instant.ts'
import { compareByCodeUnit } from '../../../client/profiles/names.ts'
import { centsText, centsTextOrNull } from '../../../money/amount.ts'
import type { PeriodRecord } from '../output.ts'
import { cardMovements, type Movement, type NotShown, type OpenWrite } from './card-movements.ts'
import type { OwnWrite } from './own-writes.ts'
import type { CardAtOpening, CardHistory } from './snapshots.ts'
import { amountOwed, type CardState, KINDS, type Kind } from './step.ts'

/** The amounts owed on gift cards at two snapshots, and the reasons why they differ. Amounts are in cents. */
export type Statement = ReturnType<ReturnType<typeof openStatement>['end']>

/**
 * Starts a statement for the period from the first to the last snapshot. `writes` are this machine's writes. For a card
 * that is not in the copy, only the writes of the venue's own profile count. With `tellsWho`, which requires a known
 * venue, each redemption also says who made it. Calls `move` with each card's movements in chronological order.
 */
export function openStatement(
  takenMs: readonly number[],
  { writes, tellsWho }: { readonly writes: readonly OwnWrite[]; readonly tellsWho: boolean },
  move: (movement: Movement) => void,
) {
  const own = Map.groupBy(writes, ({ card }) => card)
  const owed = { opening: new Owed(), closing: new Owed() }
  const totals = Object.fromEntries(KINDS.map((kind) => [kind, 0n])) as Record<Kind, bigint>
  const redeemed = { 'this machine': 0n, elsewhere: 0n }
  const kinds = new Set<Kind>()
  let elsewhereSinceMs: number | null = null
  const notShown: NotShown[] = []
  const open: OpenWrite[] = []
  const notes: { readonly card: string; readonly text: string }[] = []
  const explain = ({ card, opening, changes }: CardHistory, here: readonly OwnWrite[], isListed: boolean) => {
    const life = { card, takenMs, opening: opening ?? NEW, changes, writes: here, isListed, tellsWho }
    const found = cardMovements(life)
    notShown.push(...found.notShown)
    open.push(...found.open)
    notes.push(...found.notes.map((text) => ({ card, text })))
    for (const movement of found.movements) {
      const { kind, by, cents, afterMs } = movement
      totals[kind] += cents
      kinds.add(kind)
      if (kind === 'redeemed' && by !== null) redeemed[by] -= cents
      if (by === 'elsewhere') elsewhereSinceMs = Math.min(afterMs, elsewhereSinceMs ?? afterMs)
      move(movement)
    }
  }
  return {
    /** Adds a card's history. Each card must be added only once. */
    add(history: CardHistory): void {
      const { card, opening, changes } = history
      const before = opening?.state ?? null
      const last = changes.at(-1)
      owed.opening.add(before)
      owed.closing.add(last === undefined ? before : last.state)
      const here = own.get(card)
      own.delete(card)
      if (last !== undefined || here !== undefined) explain(history, here ?? [], true)
    },

    end() {
      for (const [card, here] of own) {
        const ours = here.filter(({ isOurs }) => isOurs)
        if (ours.length > 0) explain({ card, opening: null, changes: [] }, ours, false)
      }
      for (const list of [notShown, open, notes]) list.sort((a, b) => compareByCodeUnit(a.card, b.card))
      return {
        ...{ fromMs: takenMs[0] ?? 0, toMs: takenMs.at(-1) ?? 0, snapshots: takenMs.length },
        ...{ opening: owed.opening.cents, closing: owed.closing.cents },
        ...{ openingCards: owed.opening.cards, closingCards: owed.closing.cards },
        /**
         * The sum of the movements of each kind. The opening amount plus all of these sums equals the closing amount.
         */
        totals,
        kinds,
        redeemed,
        /**
         * The time of the last snapshot before the first movement caused elsewhere, in epoch milliseconds, or `null` if
         * there is none.
         */
        elsewhereSinceMs,
        ...{ notShown, open },
        /** Unusual findings that do not affect the amounts. */
        notes,
      }
    },
  }
}

class Owed {
  cents = 0n
  cards = 0

  add(state: CardState | null): void {
    const cents = amountOwed(state)
    this.cents += cents
    if (cents !== 0n) this.cards += 1
  }
}

const NEW: CardAtOpening = { state: null, lastListed: null }

export type PrintedMovement = PeriodRecord['movements'][number]

/**
 * Returns a function that converts movements to JSON. The function caches formatted times, because many movements have
 * the same times.
 */
export function createMovementFormatter(): (movement: Movement) => PrintedMovement {
  const texts = new Map<number, string>()
  const timeOf = (ms: number) => {
    const text = texts.get(ms) ?? toWireTime(ms)
    texts.set(ms, text)
    return text
  }
  // Spreading the movement would use more memory.
  return ({ card, kind, cents, by, afterMs, byMs, before, after, why }) => ({
    cardNumber: card,
    kind,
    amount: centsText(cents),
    by,
    after: timeOf(afterMs),
    seen: timeOf(byMs),
    statusBefore: before,
    statusAfter: after,
    why,
  })
}

/**
 * Returns the statement as JSON. `knownSinceMs` is when the records of this machine's writes begin. It is `null` if it
 * is unknown which of these writes belong to the venue.
 */
export function statementRecord(
  statement: Statement,
  movements: PrintedMovement[],
  { source, knownSinceMs }: { readonly source: string; readonly knownSinceMs: number | null },
): PeriodRecord {
  const { totals, redeemed } = statement
  const redeemedBy = (by: keyof typeof redeemed) => (knownSinceMs === null ? null : centsText(redeemed[by]))
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
    movements: movements.sort((a, b) => compareByCodeUnit(a.cardNumber, b.cardNumber)),
    notShown: statement.notShown.map(({ card, command, cents, operations, why }) => ({
      ...{ cardNumber: card, command, amount: centsTextOrNull(cents), operations: [...operations], why },
    })),
    open: statement.open.map(({ id, card, command, cents, fits }) => ({
      ...{ operation: id, cardNumber: card, command, amount: centsTextOrNull(cents), fits },
    })),
    notes: statement.notes.map(({ card, text }) => ({ cardNumber: card, text })),
  }
}
