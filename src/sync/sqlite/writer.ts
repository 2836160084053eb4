import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Counts, ResourceName } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { filledColumns, onConflictReplace } from '../tables/ddl.ts'
import { rowsOf } from '../tables/rows.ts'
import type { Row, Table } from '../tables/table.ts'
import type { VenueClock } from '../tables/venue-clock.ts'

/** Writes records as rows within the caller's transaction. */
export class RowWriter {
  readonly #resource: ResourceName
  readonly #source: string
  readonly #clock: VenueClock
  readonly #insert: StatementSync
  readonly #replace: StatementSync
  readonly #remove: StatementSync
  readonly #children: readonly { readonly insert: StatementSync; readonly remove: StatementSync }[]
  /** The positions of the key columns in a row. A child table has only the first two of these columns. */
  readonly #keyAt: readonly number[]

  constructor(database: DatabaseSync, resource: ResourceName, source: string, clock: VenueClock) {
    const table = MAIN_TABLES[resource]
    this.#resource = resource
    this.#source = source
    this.#clock = clock
    this.#insert = database.prepare(`${insertInto(table)} ON CONFLICT DO NOTHING`)
    this.#replace = database.prepare(`${insertInto(table)} ${onConflictReplace(table)}`)
    const isIt = table.key.map((name) => `${name} = ?`).join(' AND ')
    this.#remove = database.prepare(`DELETE FROM ${table.name} WHERE ${isIt}`)
    this.#children = table.children.map((child) => ({
      insert: database.prepare(insertInto(child)),
      remove: database.prepare(`DELETE FROM ${child.name} WHERE source = ? AND booking_id = ?`),
    }))
    const names = filledColumns(table).map(({ name }) => name)
    this.#keyAt = table.key.map((name) => names.indexOf(name))
  }

  /** Writes a record if it is new, newer than the stored record, or a correction. */
  write(record: SyncRecord): keyof Counts {
    if (record.isCorrection && record.id !== null && this.remove(record.id)) {
      this.write({ ...record, isCorrection: false })
      return 'changed'
    }
    const { main, children } = rowsOf(this.#resource, this.#source, record, this.#clock)
    const values = bound(main)
    const isNew = this.#insert.run(...values).changes === 1
    if (!isNew && this.#replace.run(...values).changes === 0) return 'unchanged'
    const key = this.#keyAt.map((at) => values[at] ?? null)
    this.#children.forEach(({ insert, remove }, at) => {
      if (!isNew) remove.run(...key)
      for (const row of children[at] ?? []) insert.run(...bound(row))
    })
    return isNew ? 'added' : 'changed'
  }

  /** Removes a record by its {@link SyncRecord} ID. Returns whether the record existed. */
  remove(id: string): boolean {
    let removed = 0
    for (const key of keysOf(this.#resource, id)) removed += Number(this.#remove.run(this.#source, ...key).changes)
    for (const { remove } of this.#children) remove.run(this.#source, id)
    return removed > 0
  }
}

/**
 * Returns all keys that an ID could represent, without the `source` column. A sale's ID is `SALE/BOOKING`, and either
 * part can contain slashes.
 */
function keysOf(resource: ResourceName, id: string): string[][] {
  if (resource !== 'sales') return [[id]]
  const slashes = [...id.matchAll(/\//g)].map(({ index }) => index)
  return [[id, ''], ...slashes.map((at) => [id.slice(0, at), id.slice(at + 1)])]
}

/** Returns an INSERT statement with a `?` for each column that a record fills. */
export function insertInto(table: Table, name: string = table.name): string {
  const names = filledColumns(table).map((column) => column.name)
  return `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
}

/** Converts booleans to numbers, because SQLite does not have booleans. */
export function bound(row: Row): SQLInputValue[] {
  if (!row.includes(true) && !row.includes(false)) return row as SQLInputValue[]
  return row.map((value) => (typeof value === 'boolean' ? Number(value) : value))
}
