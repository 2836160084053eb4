import type { DatabaseSync } from 'node:sqlite'
import { toSyncRecord } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import { RESOURCES } from '../resources.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { presentOnly, type StateKey } from '../tables/bookkeeping.ts'

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
