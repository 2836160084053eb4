import { usageFailure } from '../../../base/failure/failure.ts'
import { formatCommand } from '../../../base/failure/suggested.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import type { CardOverTime, CardStates, ChosenSnapshots, SnapshotCard } from '../../../sync/copy.ts'
import type { CopyToRead } from '../../../sync/open-target.ts'
import type { CardState } from './step.ts'

/** A gift card's history from one snapshot of a copy to another. */
export interface CardHistory {
  /** The card number, in upper case. */
  readonly card: string
  /** The card at the opening snapshot, or `null` if the card was unknown then. */
  readonly opening: CardAtOpening | null
  readonly changes: readonly CardFound[]
}

/** A card at the opening snapshot. `state` is `null` if the service no longer listed the card. */
export type CardAtOpening = { readonly state: CardState | null; readonly lastListed: CardState | null }

/**
 * A card that changed in a later snapshot. `at` is the index of that snapshot. `state` is `null` if the service no
 * longer listed the card.
 */
export type CardFound = { readonly at: number; readonly state: CardState | null }

/**
 * A period in epoch milliseconds. If `toMs` is `null`, the period ends with the last snapshot. If `fromMs` is `null`,
 * it begins one snapshot before its end.
 */
export type Period = { readonly fromMs: number | null; readonly toMs: number | null }

export type NamedCopy = { readonly name: string; readonly source: string }

/**
 * Passes the cards in a period's snapshots to `use`. Throws USAGE if there are fewer than two snapshots. Also throws
 * any error from the copy or from `use`.
 */
export async function readHistory<T>(
  copy: CopyToRead,
  named: NamedCopy,
  period: Period,
  use: (states: CardStates) => Promise<T>,
): Promise<T> {
  if (copy.cardStates === undefined) throw usageFailure([`--copy ${named.name} has no dated snapshots of gift cards`])
  return copy.cardStates((takenMs) => chooseSnapshots(takenMs, named, period), use)
}

export function toCardHistory({ id, opening, changes }: CardOverTime): CardHistory {
  const lastListed = toCardState(opening?.last ?? null)
  return {
    card: id,
    opening: opening && { state: opening.now && lastListed, lastListed },
    changes: changes.map(({ at, now }) => ({ at, state: toCardState(now) })),
  }
}

/**
 * Chooses the last snapshots at or before the start and the end of a period. Throws USAGE if either does not exist or
 * if both are the same snapshot.
 */
export function chooseSnapshots(
  takenMs: readonly number[],
  { name, source }: NamedCopy,
  { fromMs, toMs }: Period,
): ChosenSnapshots {
  const makeOne = `each sync takes a snapshot: ${formatCommand`giftcards sync --to ${name}`}`
  const at = (index: number) => toWireTime(takenMs[index] ?? 0)
  const [first] = takenMs
  if (first === undefined)
    throw usageFailure(
      [`--copy ${name} has no gift card snapshot for ${source}`],
      `${makeOne}; a statement needs two snapshots`,
    )
  const to = toMs === null ? takenMs.length - 1 : takenMs.findLastIndex((ms) => ms <= toMs)
  if (to < 0) throw usageFailure([`--copy ${name} has no snapshot at or before --to`], `the first one is from ${at(0)}`)
  const from = fromMs === null ? to - 1 : takenMs.findLastIndex((ms) => ms <= fromMs)
  if (from >= 0 && from < to) return { from, to }
  if (takenMs.length === 1)
    throw usageFailure(
      [`--copy ${name} has only one gift card snapshot for ${source}, from ${at(0)}; a statement needs two`],
      `${makeOne}; run it again when the period ends`,
    )
  if (from === to)
    throw usageFailure(
      [`--from and --to select the same snapshot, from ${at(to)}`],
      to + 1 < takenMs.length ? `the next one is from ${at(to + 1)}` : `it is the last one; ${makeOne}`,
    )
  throw usageFailure(
    [`--copy ${name} has no snapshot ${fromMs === null ? 'before the one selected by --to' : 'at or before --from'}`],
    `the first one is from ${at(0)}`,
  )
}

function toCardState(card: SnapshotCard | null): CardState | null {
  const cents = (of: number | null) => (of === null ? null : BigInt(of))
  return card && { status: card.status, amount: cents(card.amountCents), remaining: cents(card.remainingCents) }
}
