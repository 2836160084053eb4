import type { Movement } from '../../../../src/features/giftcards/statement/card-movements.ts'
import type { OwnWrite } from '../../../../src/features/giftcards/statement/own-writes.ts'
import type { CardAtOpening, CardFound } from '../../../../src/features/giftcards/statement/snapshots.ts'
import { openStatement } from '../../../../src/features/giftcards/statement/statement.ts'

/**
 * The snapshots of a copy. `opening` contains the cards in the first snapshot, keyed by number, and `changes` all later
 * changes.
 */
export interface Histories {
  readonly takenMs: readonly number[]
  readonly opening: ReadonlyMap<string, CardAtOpening>
  readonly changes: readonly (CardFound & { readonly card: string })[]
}

/** A write. `isOurs`, which defaults to true, says whether the venue's own profile performed it. */
type Write = Omit<OwnWrite, 'isOurs'> & Partial<OwnWrite>

export type Made = ReturnType<typeof makeStatement>

/** Builds a statement. The cards may be in any order. The returned movements are sorted by card, then by time. */
export function makeStatement(
  { takenMs, opening, changes }: Histories,
  { writes, tellsWho }: { readonly writes: readonly Write[]; readonly tellsWho: boolean },
) {
  const movements: Movement[] = []
  const all = writes.map((write) => ({ isOurs: true, ...write }))
  const statement = openStatement(takenMs, { writes: all, tellsWho }, (movement) => movements.push(movement))
  const byCard = Map.groupBy(changes, ({ card }) => card)
  for (const card of new Set([...opening.keys(), ...byCard.keys()]))
    statement.add({ card, opening: opening.get(card) ?? null, changes: byCard.get(card) ?? [] })
  const sorted = movements.toSorted((one, other) => (one.card < other.card ? -1 : one.card > other.card ? 1 : 0))
  return { ...statement.end(), movements: sorted }
}
