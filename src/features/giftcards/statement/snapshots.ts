import { usageFailure } from '../../../base/failure/failure.ts'
import { suggest } from '../../../base/failure/suggested.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import type { ChosenSnapshots, SnapshotCard } from '../../../sync/copy.ts'
import type { CopyToRead } from '../../../sync/open-target.ts'
import type { CardState } from './step.ts'

/** The gift cards in two dated snapshots of a copy, and in those between them. */
export interface CardHistory {
  /** When the snapshots were taken, in order, epoch milliseconds by the service's clock: two or more. */
  readonly takenMs: readonly number[]
  readonly opening: ReadonlyMap<string, CardAtOpening>
  readonly changes: readonly CardFound[]
}

export interface CardAtOpening {
  /** `null` if it was no longer listed. */
  readonly state: CardState | null
  readonly lastListed: CardState | null
}

export interface CardFound {
  readonly card: string
  /** The index of the snapshot, from 1. */
  readonly at: number
  /** `null` if it was no longer listed. */
  readonly state: CardState | null
}

/** Epoch milliseconds. `null` for the snapshot before the closing one, and for the last. */
export interface Period {
  readonly fromMs: number | null
  readonly toMs: number | null
}

interface CopyNamed {
  readonly name: string
  readonly source: string
}

/** Reads the cards in a period's snapshots, by number in upper case. Fails: USAGE if under two; as the copy does. */
export async function readHistory(copy: CopyToRead, named: CopyNamed, period: Period): Promise<CardHistory> {
  const states = await copy.cardStates?.((takenMs) => chooseSnapshots(takenMs, named, period))
  if (states === undefined) throw usageFailure([`--copy ${named.name} keeps no dated snapshots of gift cards`])
  const { takenMs, opening, changes } = states
  const atOpening = opening.map(
    ({ id, now, last }) => [id.toUpperCase(), { state: stateOf(now), lastListed: stateOf(last) }] as const,
  )
  return {
    takenMs,
    opening: new Map(atOpening),
    changes: changes.map(({ id, at, now }) => ({ card: id.toUpperCase(), at, state: stateOf(now) })),
  }
}

/** Chooses the snapshots at or before the ends of a period. Fails: USAGE. */
export function chooseSnapshots(
  takenMs: readonly number[],
  { name, source }: CopyNamed,
  { fromMs, toMs }: Period,
): ChosenSnapshots {
  const makeOne = `each run makes one: ${suggest`giftcards sync --to ${name}`}`
  const at = (index: number) => toWireTime(takenMs[index] ?? 0)
  const [first] = takenMs
  if (first === undefined)
    throw usageFailure(
      [`--copy ${name} has no snapshot of the gift cards of ${source}`],
      `${makeOne}; a statement needs two`,
    )
  const to = toMs === null ? takenMs.length - 1 : takenMs.findLastIndex((ms) => ms <= toMs)
  if (to < 0) throw usageFailure([`--copy ${name} has no snapshot at or before --to`], `the first one is of ${at(0)}`)
  const from = fromMs === null ? to - 1 : takenMs.findLastIndex((ms) => ms <= fromMs)
  if (from >= 0 && from < to) return { from, to }
  if (takenMs.length === 1)
    throw usageFailure(
      [`--copy ${name} has one snapshot of the gift cards of ${source}, of ${at(0)}; a statement needs two`],
      `${makeOne}; run it again when the period ends`,
    )
  if (from === to)
    throw usageFailure(
      [`--from and --to mean the same snapshot, of ${at(to)}`],
      to + 1 < takenMs.length ? `the next one is of ${at(to + 1)}` : `it is the last one: ${makeOne}`,
    )
  throw usageFailure(
    [`--copy ${name} has no snapshot ${fromMs === null ? 'before that of --to' : 'at or before --from'}`],
    `the first one is of ${at(0)}`,
  )
}

function stateOf(card: SnapshotCard | null): CardState | null {
  const cents = (of: number | null) => (of === null ? null : BigInt(of))
  return card && { status: card.status, amount: cents(card.amountCents), remaining: cents(card.remainingCents) }
}
