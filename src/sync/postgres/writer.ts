import type { Connection } from '../../postgres/connection.ts'
import { literal } from '../../postgres/literal.ts'
import { type CopyKey, type Counts, plus } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { filledColumns, onConflictReplace } from '../tables/ddl.ts'
import { type RecordRows, rowsOf } from '../tables/rows.ts'
import type { Column, MainTable, Row, Table } from '../tables/table.ts'
import type { VenueClock } from '../tables/venue-clock.ts'
import { textArray, unnested } from './literals.ts'

/** Writes records to the tables within the caller's transaction. */
export interface RecordWriter {
  /**
   * Writes records that are new or newer than the stored ones. `turn` resolves to the connection when the previous
   * batch has been written.
   */
  write(turn: () => Promise<Connection>, records: readonly SyncRecord[]): Promise<Counts>
  /**
   * Prepares the commit. The returned counts are added to those of the batches. Undefined if there is nothing to
   * prepare.
   */
  finish?(connection: Connection, cursorMs: number, isComplete: boolean): Promise<Counts>
  /** Notes that a record cannot be stored. Undefined if that makes no difference to the writer. */
  noteSkipped?(record: SyncRecord): void
  /** Forgets which records were written since the last commit. Undefined if the writer does not remember them. */
  forget?(): void
}

/** Writes one row for each record and one for each item that a record lists. */
export class RowWriter implements RecordWriter {
  readonly #key: CopyKey
  readonly #clock: VenueClock
  readonly #table: MainTable

  constructor(key: CopyKey, clock: VenueClock) {
    this.#key = key
    this.#clock = clock
    this.#table = MAIN_TABLES[key.resource]
  }

  async write(turn: () => Promise<Connection>, records: readonly SyncRecord[]): Promise<Counts> {
    const { resource, source } = this.#key
    const rows = records.map((record) => rowsOf(resource, source, record, this.#clock))
    const { kept, counts } = newestOf(this.#table, rows)
    const main = kept.map((row) => row.main)
    const statement = `${insertFrom(this.#table, filledColumns(this.#table), main)} ${onConflictReplace(this.#table)}
       RETURNING id, (xmax = 0)::int AS is_new`
    const connection = await turn()
    const replaced = await this.#deleteCorrected(connection, records)
    const written = await connection.query(statement)
    await this.#writeChildren(connection, kept, new Map(written.map((row) => [row['id'] ?? '', row['is_new'] === '1'])))
    const added = written.filter((row) => row['is_new'] === '1').length
    const changed = written.length - added
    return plus(counts, {
      added: added - replaced,
      changed: changed + replaced,
      unchanged: kept.length - written.length,
    })
  }

  async #deleteCorrected(connection: Connection, records: readonly SyncRecord[]): Promise<number> {
    const ids = records.flatMap(({ id, isCorrection }) => (isCorrection && id !== null ? [id] : []))
    if (ids.length === 0) return 0
    const { source } = this.#key
    const condition = `source = ${literal(source)} AND ${idOf(this.#key.resource)} = ANY (${textArray(ids)})`
    const [row] = await connection.query(`SELECT count(*) AS n FROM ${this.#table.name} WHERE ${condition}`)
    await connection.query(deleteRecordsSql(this.#key, ids))
    return Number(row?.['n'])
  }

  async #writeChildren(connection: Connection, rows: readonly RecordRows[], written: ReadonlyMap<string, boolean>) {
    const { children } = this.#table
    if (children.length === 0 || written.size === 0) return
    const idAt = positionOf(this.#table, 'id')
    const replaced = [...written].filter(([, isNew]) => !isNew).map(([id]) => id)
    const statements = children.flatMap((child, at) => {
      const fresh = rows.filter(({ main }) => written.has(String(main[idAt]))).flatMap((row) => row.children[at] ?? [])
      return [
        ...(replaced.length === 0 ? [] : [deleteFrom(child, 'booking_id', this.#key.source, replaced)]),
        ...(fresh.length === 0 ? [] : [insertFrom(child, filledColumns(child), fresh)]),
      ]
    })
    if (statements.length > 0) await connection.query(statements.join(';\n'))
  }
}

/** Returns SQL that deletes records by their {@link SyncRecord} ID. */
export function deleteRecordsSql({ resource, source }: CopyKey, ids: readonly string[]): string {
  const table = MAIN_TABLES[resource]
  return [
    deleteFrom(table, idOf(resource), source, ids),
    ...table.children.map((child) => deleteFrom(child, 'booking_id', source, ids)),
  ].join(';\n')
}

/** Returns an SQL expression for the {@link SyncRecord} ID. A sale's ID is `SALE/BOOKING`. */
function idOf(resource: CopyKey['resource']): string {
  return resource === 'sales' ? "CASE WHEN booking_id = '' THEN id ELSE id || '/' || booking_id END" : 'id'
}

export function insertFrom(table: Table, columns: readonly Column[], rows: readonly Row[]): string {
  return `INSERT INTO ${table.name} (${columns.map(({ name }) => name).join(', ')}) SELECT * FROM ${unnested(columns, rows)}`
}

function deleteFrom(table: Table, id: string, source: string, ids: readonly string[]): string {
  return `DELETE FROM ${table.name} WHERE source = ${literal(source)} AND ${id} = ANY (${textArray(ids)})`
}

/** Keeps only the newest version of each record, because an INSERT must not contain the same key twice. */
function newestOf(table: MainTable, rows: readonly RecordRows[]) {
  const keyAt = table.key.map((name) => positionOf(table, name))
  const changedAt = positionOf(table, 'last_modified')
  const digestAt = positionOf(table, 'digest')
  const newest = new Map<string, RecordRows>()
  let changed = 0
  for (const row of rows) {
    const key = JSON.stringify(keyAt.map((at) => row.main[at]))
    const before = newest.get(key)
    if (before !== undefined) {
      const [then, now] = [before.main[changedAt] ?? null, row.main[changedAt] ?? null]
      if (then === now && before.main[digestAt] === row.main[digestAt]) continue
      if (table.hasChangeDate && then !== null && now !== null && now < then) continue
      changed += 1
    }
    newest.set(key, row)
  }
  const unchanged = rows.length - newest.size - changed
  return { kept: [...newest.values()], counts: { added: 0, changed, unchanged } }
}

function positionOf(table: Table, name: string): number {
  return filledColumns(table).findIndex((column) => column.name === name)
}
