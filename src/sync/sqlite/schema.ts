import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../base/storage/sqlite.ts'
import { TABLES } from '../tables/all.ts'
import { PRODUCT } from '../tables/bookkeeping.ts'
import { createStatements } from '../tables/ddl.ts'

/** What a database is to us: its form, `empty`, or `foreign` when something else made it. */
export type Form = number | 'empty' | 'foreign'

/** Brings a database from the form before to the next one. The first makes all tables. */
export type Step = (database: DatabaseSync) => void

/** The steps to the form of this release; after the first n of them a database has form n. */
export const STEPS: readonly Step[] = [
  (database) => {
    for (const table of TABLES) for (const statement of createStatements(table, 'sqlite')) database.exec(statement)
  },
]

/** Finds out which form a database has. Fails: as SQLite does. */
export function formOf(database: DatabaseSync): Form {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (names.length === 0) return 'empty'
  const columns = database.prepare("SELECT name FROM pragma_table_info('schema_version')").all()
  if (!['product', 'version'].every((name) => columns.some((column) => column['name'] === name))) return 'foreign'
  const row = database.prepare('SELECT version FROM schema_version WHERE product = ?').get(PRODUCT)
  return typeof row?.['version'] === 'number' ? row['version'] : 'foreign'
}

/** Brings a database that is empty or older to the form of the last step, in one transaction. Others stay as they are. */
export function migrate(database: DatabaseSync, steps: readonly Step[]): void {
  transaction(database, () => {
    // Read again under the lock: another process may have been faster.
    const form = formOf(database)
    const from = form === 'empty' ? 0 : form
    if (from === 'foreign' || from >= steps.length) return
    for (const step of steps.slice(from)) step(database)
    database
      .prepare(
        'INSERT INTO schema_version (product, version, migrated_at) VALUES (?, ?, ?) ON CONFLICT (product) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at',
      )
      .run(PRODUCT, steps.length, new Date().toISOString())
  })
}
