import type { CardStates, ChosenSnapshots, SnapshotCard } from '../copy.ts'
import type { SnapshotHead } from './snapshot.ts'

const FIGURES = 'status, amount_cents, remaining_cents'
const COLUMNS = `id, snapshot_id, change, ${FIGURES}, previous_status, previous_amount_cents, previous_remaining_cents`

/** Reads the last row of each card among some snapshots. Both are conditions, and each comes twice. */
export function openingQuery(ofSource: string, ofSnapshots: string): string {
  return `
    SELECT c.* FROM (SELECT ${COLUMNS} FROM gift_card_changes WHERE ${ofSource} AND ${ofSnapshots}) c
    JOIN (SELECT id, max(snapshot_id) AS last_id FROM gift_card_changes WHERE ${ofSource} AND ${ofSnapshots} GROUP BY id) l
    ON l.id = c.id AND l.last_id = c.snapshot_id`
}

/** Reads what some snapshots found, in order of them. Both are conditions. */
export function foundQuery(ofSource: string, ofSnapshots: string): string {
  return `SELECT ${COLUMNS} FROM gift_card_changes WHERE ${ofSource} AND ${ofSnapshots} ORDER BY snapshot_id, id`
}

/** The heads from the one that is chosen to the other, of all in order. Fails: as `choose`. */
export function chosenHeads(
  heads: readonly SnapshotHead[],
  choose: (takenMs: readonly number[]) => ChosenSnapshots,
): readonly SnapshotHead[] {
  const { from, to } = choose(heads.map(({ takenMs }) => takenMs))
  return heads.slice(from, to + 1)
}

/** A row as a database gives it: its values may be text. */
type StateRow = Readonly<Record<string, unknown>>

/** The states of cards, from the rows of {@link openingQuery} and {@link foundQuery}. */
export function cardStatesOf(
  heads: readonly SnapshotHead[],
  opening: readonly StateRow[],
  found: readonly StateRow[],
): CardStates {
  const at = new Map(heads.map(({ id }, index) => [id, index]))
  return {
    takenMs: heads.map(({ takenMs }) => takenMs),
    opening: opening.map((row) => {
      const went = row['change'] === 'went'
      return { id: String(row['id']), now: went ? null : cardIn(row, ''), last: cardIn(row, went ? 'previous_' : '') }
    }),
    changes: found.map((row) => ({
      id: String(row['id']),
      at: at.get(Number(row['snapshot_id'])) ?? 0,
      now: row['change'] === 'went' ? null : cardIn(row, ''),
    })),
  }
}

function cardIn(row: StateRow, prefix: '' | 'previous_'): SnapshotCard {
  const status = row[`${prefix}status`]
  return {
    status: status == null ? null : String(status),
    amountCents: centsIn(row[`${prefix}amount_cents`]),
    remainingCents: centsIn(row[`${prefix}remaining_cents`]),
  }
}

function centsIn(value: unknown): number | null {
  return value == null ? null : Number(value)
}
