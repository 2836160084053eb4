import { usageFailure } from '../../../base/failure/failure.ts'
import { suggest } from '../../../base/failure/suggested.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import type { CardStates, ChosenSnapshots, SnapshotCard } from '../../../sync/copy.ts'
import type { CopyToRead } from '../../../sync/open-target.ts'
import type { CardAtOpening, CardHistory } from './account.ts'
import type { CardState } from './card.ts'

/** Which period is asked for. Epoch milliseconds; null: the snapshot before the closing one, and the last. */
export interface Period {
  readonly fromMs: number | null
  readonly toMs: number | null
}

/** Which copy it is, in the words of the command line. */
export interface CopyNamed {
  readonly name: string
  readonly source: string
}

/**
 * Reads what the snapshots of a copy have of the gift cards of a period, each number in upper case. Fails: USAGE when there are no
 * two snapshots of it; as the copy does.
 */
export async function readHistory(copy: CopyToRead, named: CopyNamed, period: Period): Promise<CardHistory> {
  const choose = (takenMs: readonly number[]) => chooseSnapshots(takenMs, named, period)
  const states = await copy.cardStates?.(choose)
  if (states === undefined) throw usageFailure([`--copy ${named.name} keeps no dated snapshots of gift cards`])
  return historyOf(states)
}

/** The snapshots at or before the ends of a period. Fails: USAGE. */
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

/** The history in the states of a copy. */
function historyOf({ takenMs, opening, changes }: CardStates): CardHistory {
  return {
    takenMs,
    opening: new Map(
      opening.map(({ id, now, last }): [string, CardAtOpening] => [
        id.toUpperCase(),
        { state: now === null ? null : stateOf(now), lastListed: stateOf(last) },
      ]),
    ),
    changes: changes.map(({ id, at, now }) => ({
      card: id.toUpperCase(),
      at,
      state: now === null ? null : stateOf(now),
    })),
  }
}

function stateOf({ status, amountCents, remainingCents }: SnapshotCard): CardState {
  return { status, amount: centsOf(amountCents), remaining: centsOf(remainingCents) }
}

function centsOf(cents: number | null): bigint | null {
  return cents === null ? null : BigInt(cents)
}
