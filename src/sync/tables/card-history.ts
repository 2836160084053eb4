import type { TextRow } from '../../base/storage/text-row.ts'
import { literal } from '../../postgres/literal.ts'
import type { CardChange, CardOverTime, CardStates, ChosenSnapshots, SnapshotCard, SnapshotHistory } from '../copy.ts'
import type { DatabaseRows } from '../database-rows.ts'
import { isoText } from './ddl.ts'

/** Reads a source's snapshots, starting with the last one before `fromMs`. Throws database errors. */
export async function readSnapshots(database: DatabaseRows, source: string, fromMs: number): Promise<SnapshotHistory> {
  const all = await readHeads(database, source)
  const firstAfter = all.findIndex(({ takenMs }) => takenMs >= fromMs)
  const heads = all.slice(Math.max(0, (firstAfter < 0 ? all.length : firstAfter) - 1))
  const takenMs = heads.map((head) => head.takenMs)
  const rows = await database.rows(`
    SELECT snapshot_id, id, change, status, remaining_cents, previous_status, previous_remaining_cents,
      CASE WHEN EXISTS (
        SELECT 1 FROM gift_card_changes b WHERE b.source = c.source AND b.id = c.id AND b.snapshot_id < c.snapshot_id
      ) THEN 1 ELSE 0 END AS was_known
    FROM gift_card_changes c WHERE ${changesIn(source, heads)} ORDER BY snapshot_id, id`)
  const placeOf = snapshotIndexes(heads)
  const changes = rows.map((row): CardChange => {
    const at = placeOf(row)
    const { change } = row
    return {
      id: row['id'] ?? '',
      change: change === 'appeared' && row['was_known'] === '1' ? 'returned' : (change as CardChange['change']),
      afterMs: takenMs[at - 1] ?? 0,
      byMs: takenMs[at] ?? 0,
      status: row['status'] ?? null,
      remainingCents: centsOf(row['remaining_cents']),
      previousStatus: row['previous_status'] ?? null,
      previousRemainingCents: centsOf(row['previous_remaining_cents']),
    }
  })
  return { takenMs, changes }
}

const STATE = `id, snapshot_id, change, status, amount_cents, remaining_cents,
  previous_status, previous_amount_cents, previous_remaining_cents`

/**
 * Calls `use` with the gift cards in the first chosen snapshot and all changes up to the last chosen snapshot. Throws
 * database errors, and any error that `choose` or `use` throws.
 */
export async function readCardStates<T>(
  database: DatabaseRows,
  source: string,
  choose: (takenMs: readonly number[]) => ChosenSnapshots,
  use: (states: CardStates) => Promise<T>,
): Promise<T> {
  const all = await readHeads(database, source)
  const { from, to } = choose(all.map(({ takenMs }) => takenMs))
  const heads = all.slice(from, to + 1)
  return use({ takenMs: heads.map(({ takenMs }) => takenMs), cards: cardsOver(database, source, heads) })
}

async function* cardsOver(database: DatabaseRows, source: string, heads: readonly Head[]) {
  const first = heads[0]?.id ?? 0
  const before = `source = ${literal(source)} AND snapshot_id <= ${first}`
  const batches = database.batches(`
    SELECT * FROM (
      SELECT c.* FROM (SELECT ${STATE} FROM gift_card_changes WHERE ${before}) c
      JOIN (SELECT id, max(snapshot_id) AS last_id FROM gift_card_changes WHERE ${before} GROUP BY id) l
      ON l.id = c.id AND l.last_id = c.snapshot_id
      UNION ALL SELECT ${STATE} FROM gift_card_changes WHERE ${changesIn(source, heads)}
    ) found ORDER BY upper(id), snapshot_id, id`)
  const placeOf = snapshotIndexes(heads)
  let card = null as CardOverTime | null
  for await (const rows of batches) {
    const whole: CardOverTime[] = []
    for (const row of rows) {
      const id = (row['id'] ?? '').toUpperCase()
      if (card?.id !== id) {
        if (card !== null) whole.push(card)
        card = { id, opening: null, changes: [] }
      }
      const now = row['change'] === 'went' ? null : cardIn(row, '')
      if (Number(row['snapshot_id']) > first) card.changes.push({ at: placeOf(row), now })
      else card.opening = { now, last: now ?? cardIn(row, 'previous_') }
    }
    yield whole
  }
  if (card !== null) yield [card]
}

type Head = { readonly id: number; readonly takenMs: number }

async function readHeads({ rows, dialect }: DatabaseRows, source: string): Promise<readonly Head[]> {
  const heads = await rows(
    `SELECT id, ${isoText('taken_at', dialect)} AS taken_at FROM gift_card_snapshots WHERE source = ${literal(source)} ORDER BY id`,
  )
  return heads.map(({ id, taken_at }) => ({ id: Number(id), takenMs: Date.parse(taken_at ?? '') }))
}

function changesIn(source: string, heads: readonly Head[]): string {
  return `source = ${literal(source)} AND snapshot_id > ${heads[0]?.id ?? 0} AND snapshot_id <= ${heads.at(-1)?.id ?? 0}`
}

function snapshotIndexes(heads: readonly Head[]): (row: TextRow) => number {
  const places = new Map(heads.map(({ id }, at) => [id, at]))
  return (row) => places.get(Number(row['snapshot_id'])) ?? 0
}

function cardIn(row: TextRow, prefix: '' | 'previous_'): SnapshotCard {
  return {
    status: row[`${prefix}status`] ?? null,
    amountCents: centsOf(row[`${prefix}amount_cents`]),
    remainingCents: centsOf(row[`${prefix}remaining_cents`]),
  }
}

function centsOf(text: string | null | undefined): number | null {
  return text == null ? null : Number(text)
}
