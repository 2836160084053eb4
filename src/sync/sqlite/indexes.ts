import type { DatabaseSync } from 'node:sqlite'
import { indexesOf } from '../tables/ddl.ts'
import type { Table } from '../tables/table.ts'

/** A table with fewer rows takes its indexes back in a moment. */
const FEW_ROWS = 20_000

/**
 * Takes the indexes off a table that has little, before much comes: to keep them up to date row by row takes as long as the rows
 * themselves. In a transaction of the caller, who sees to it that {@link makeIndexes} follows.
 */
export function dropIndexes(database: DatabaseSync, table: Table): void {
  const { length } = database.prepare(`SELECT 1 FROM ${table.name} LIMIT ${FEW_ROWS}`).all()
  if (length === FEW_ROWS) return
  for (const { name } of indexesOf(table)) database.exec(`DROP INDEX IF EXISTS ${name}`)
}

/** Whether a table has all of its indexes. */
export function hasIndexes(database: DatabaseSync, table: Table): boolean {
  const there = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?").all(table.name)
  return indexesOf(table).every(({ name }) => there.some((one) => one['name'] === name))
}

/** Makes the indexes that a table lacks, in a transaction of the caller. */
export function makeIndexes(database: DatabaseSync, table: Table): void {
  // What was written last is not needed for it, and rows are sorted in as much memory as pages may take.
  database.exec('PRAGMA shrink_memory')
  for (const { create } of indexesOf(table)) database.exec(create)
}
