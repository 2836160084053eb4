import type { DatabaseSync } from 'node:sqlite'
import type { CardStates, ChosenSnapshots, SnapshotHistory } from '../copy.ts'
import { toSyncRecord } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { presentOnly, type StateKey } from '../tables/bookkeeping.ts'
import { cardStatesOf, chosenHeads, foundQuery, openingQuery } from '../tables/card-states.ts'
import { headsFrom, historyOf, historyQuery, type SnapshotHead } from '../tables/snapshot.ts'

const BATCH = 500

/** The records of a copy in the order of their keys, in batches. Each is a read of its own, so that it keeps nobody from writing. */
export function* recordBatches(
  database: DatabaseSync,
  { source, resource }: StateKey,
): Generator<readonly SyncRecord[], void, undefined> {
  const { name, key } = MAIN_TABLES[resource]
  const [, ...others] = key
  const statement = database.prepare(
    `SELECT ${others.join(', ')}, raw FROM ${name}
     WHERE source = ?${presentOnly(resource)} AND (${others.join(', ')}) > (${others.map(() => '?').join(', ')})
     ORDER BY ${others.join(', ')} LIMIT ${BATCH}`,
  )
  for (let last = others.map(() => ''); ; ) {
    const rows = statement.all(source, ...last)
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows.map(({ raw }) => toSyncRecord(String(raw), RESOURCES[resource]))
    last = others.map((column) => String(end[column]))
  }
}

/** What the snapshots of the gift cards of a source found, from the last one before an instant on. */
export function readSnapshots(database: DatabaseSync, source: string, fromMs: number): SnapshotHistory {
  const asked = headsFrom(readHeads(database, source), fromMs)
  const changes = database
    .prepare(historyQuery('source = ?', 'snapshot_id > ? AND snapshot_id <= ?'))
    .all(source, asked[0]?.id ?? 0, asked.at(-1)?.id ?? 0)
  return historyOf(asked, changes)
}

/** How the gift cards of a source stood at a snapshot, and what later ones found. `database` null: there is none. Fails: as `choose`. */
export function readCardStates(
  database: DatabaseSync | null,
  source: string,
  choose: (takenMs: readonly number[]) => ChosenSnapshots,
): CardStates {
  const heads = chosenHeads(database === null ? [] : readHeads(database, source), choose)
  const [from = 0, to = 0] = [heads[0]?.id, heads.at(-1)?.id]
  const opening =
    database?.prepare(openingQuery('source = ?', 'snapshot_id <= ?')).all(source, from, source, from) ?? []
  const found = database
    ?.prepare(foundQuery('source = ?', 'snapshot_id > ? AND snapshot_id <= ?'))
    .all(source, from, to)
  return cardStatesOf(heads, opening, found ?? [])
}

function readHeads(database: DatabaseSync, source: string): readonly SnapshotHead[] {
  return database
    .prepare('SELECT id, taken_at FROM gift_card_snapshots WHERE source = ? ORDER BY id')
    .all(source)
    .map(({ id, taken_at }) => ({ id: Number(id), takenMs: Date.parse(String(taken_at)) }))
}
