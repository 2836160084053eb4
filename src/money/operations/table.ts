import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../storage/sqlite.ts'
import { guarded, PUT_ROW } from './file.ts'
import { forgetPast, keepPast } from './past.ts'
import { type Row, sealed, unsealed } from './row.ts'

/** The rows of the record of money writes. Reading and `transaction` fail with INTERNAL, which names the file and the reason. */
export class OperationTable {
  readonly #database: DatabaseSync
  readonly #path: string

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  /** Does something in one durable transaction. */
  transaction<T>(work: () => T): T {
    return guarded(this.#path, () => transaction(this.#database, work))
  }

  /** The row with this id; null when there is none. */
  row(id: string): Row | null {
    return this.rows('id = ?', id)[0] ?? null
  }

  /** The open row with this id. Fails: Error when it was settled or dropped meanwhile. */
  openRow(id: string): Row {
    const row = this.row(id)
    if (row?.state !== 'open') throw new Error('another process settled it')
    return row
  }

  /** The rows of one card, or of one sale. */
  rowsOn(service: string, target: string): Row[] {
    return this.rows('service = ? AND target = ?', service, target)
  }

  /** Those of them that were sent, in the order in which they were claimed. */
  sentOn(service: string, target: string): Row[] {
    return this.rows("service = ? AND target = ? AND phase <> 'claimed' ORDER BY claimedStep", service, target)
  }

  /** The rows that a condition in SQL selects. */
  rows(where: string, ...values: string[]): Row[] {
    return guarded(this.#path, () =>
      this.#database
        .prepare(`SELECT * FROM operations WHERE ${where}`)
        .all(...values)
        .map(unsealed),
    )
  }

  /** Writes a row, in place of the one with its id, and returns it. */
  put(row: Row): Row {
    this.#run(PUT_ROW, ...sealed(row))
    return row
  }

  /** Removes a row that is over, and keeps for the books what it did. */
  retire(row: Row): void {
    keepPast(this.#database, row)
    this.remove(row.id)
  }

  /** Forgets what the books need no more: what is too old, or was done at a service that is gone. */
  forgetPast(what: Parameters<typeof forgetPast>[1]): void {
    forgetPast(this.#database, what)
  }

  /** Removes the row with this id, if there is one. */
  remove(id: string): void {
    this.#run('DELETE FROM operations WHERE id = ?', id)
  }

  /** Removes the row with this id, if it is open. */
  removeOpen(id: string): void {
    this.#run("DELETE FROM operations WHERE id = ? AND state = 'open'", id)
  }

  /** The number of the next step, of whatever operation. */
  nextStep(): number {
    const columns = ['claimedStep', 'sentStep', 'endedStep'].map((name) => `coalesce(max(${name}), 0)`)
    const steps = this.#database.prepare(`SELECT max(${columns.join(', ')}) AS last FROM operations`).get()
    return Number(steps?.['last'] ?? 0) + 1
  }

  close(): void {
    this.#database.close()
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#database.prepare(sql).run(...values)
  }
}
