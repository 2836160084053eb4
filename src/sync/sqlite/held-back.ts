import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SyncRecord } from '../record.ts'

const TABLE = 'temp.held_back'

/** Records that wait on disk until the commit. They are in a temporary table, so that the file is not locked. */
export class HeldBack {
  readonly #database: DatabaseSync
  #statements: { readonly put: StatementSync; readonly all: StatementSync } | null = null
  #count = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Appends records. Throws SQLite's errors. */
  put(records: readonly SyncRecord[]): void {
    const { put } = this.#prepared()
    this.#database.exec('BEGIN')
    try {
      for (const { parsed: _, ...record } of records) put.run(JSON.stringify(record))
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
    this.#count += records.length
  }

  *records(): Generator<SyncRecord> {
    if (this.isEmpty) return
    for (const { record } of this.#prepared().all.iterate()) yield JSON.parse(String(record))
  }

  clear(): void {
    if (!this.isEmpty) this.#database.exec(`DELETE FROM ${TABLE}`)
    this.#count = 0
  }

  #prepared() {
    if (this.#statements === null) {
      this.#database.exec(`CREATE TABLE ${TABLE} (at INTEGER PRIMARY KEY, record TEXT NOT NULL)`)
      this.#statements = {
        put: this.#database.prepare(`INSERT INTO ${TABLE} (record) VALUES (?)`),
        all: this.#database.prepare(`SELECT record FROM ${TABLE} ORDER BY at`),
      }
    }
    return this.#statements
  }
}
