import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Failure } from '../../base/failure/failure.ts'
import { CommitQueue } from '../../base/storage/commit-queue.ts'
import { savepoint, transaction } from '../../base/storage/sqlite.ts'
import { addressSpellings } from '../../client/same-service.ts'
import { outcomeUnknown } from './already-open.ts'
import { guarded, PUT_ROW } from './file.ts'
import type { Moment } from './moment.ts'
import { SAID_BY_USER } from './operation.ts'
import { deletePast, storePast } from './past.ts'
import { type Row, sealed, unsealed } from './row.ts'

const BATCH = 200
/** The value of `how` if the service responded to the write. */
export const ANSWERED = 'the service confirmed it'

/** A filter for operations by profile and state; `undefined` matches every value. */
export type OperationFilter = { readonly [name in 'profile' | 'state']?: string | undefined }

function buildCondition(only: OperationFilter) {
  const given = Object.entries(only).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const conditions = given.map(([name]) => ` AND ${name} = ?`).join('')
  return { where: `phase <> 'claimed' AND state <> 'done'${conditions}`, values: given.map(([, value]) => value) }
}

/** A write that took effect. `how` explains how the outcome is known, or is `null` if there was a response. */
export interface DoneWrite {
  readonly id: string
  readonly how: string | null
  readonly now: Moment
}

/** The table of money writes. Reads and transactions throw INTERNAL, with the file's path and the reason. */
export class OperationTable {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  transaction<T>(work: () => T): T {
    return guarded(this.#path, () => transaction(this.#database, work))
  }

  /** Creates a queue that runs all work from one turn of the event loop in a single transaction. */
  queue(): CommitQueue {
    return new CommitQueue(
      (work) => this.transaction(work),
      (work) => savepoint(this.#database, work),
    )
  }

  row(id: string): Row | null {
    return this.rows('id = ?', id)[0] ?? null
  }

  /** Returns a row. Throws OUTCOME_UNKNOWN if another process has removed it. */
  requireRow(id: string): Row {
    const row = this.row(id)
    if (row === null) throw settledElsewhere(id)
    return row
  }

  /** Returns an open row. Throws OUTCOME_UNKNOWN if another process has settled or removed it. */
  requireOpenRow(id: string): Row {
    const row = this.requireRow(id)
    if (row.state !== 'open') throw settledElsewhere(id)
    return row
  }

  rowsOn(service: string, target: string): Row[] {
    return this.#on(service, target, '')
  }

  /** Returns the sent writes on a card or sale, in the order in which they were claimed. */
  sentRowsOn(service: string, target: string): Row[] {
    return this.#on(service, target, "AND phase <> 'claimed' ORDER BY claimedStep")
  }

  rows(where: string, ...values: string[]): Row[] {
    return this.select(`SELECT * FROM operations WHERE ${where}`, unsealed, ...values)
  }

  select<T>(sql: string, convert: (stored: Readonly<Record<string, unknown>>) => T, ...values: string[]): T[] {
    return guarded(this.#path, () =>
      this.#prepared(sql)
        .all(...values)
        .map(convert),
    )
  }

  /** Returns the distinct profiles of the rows in {@link sent}. */
  profiles(only: OperationFilter): (string | null)[] {
    const { where, values } = buildCondition(only)
    return this.#column('profile', where, values)
  }

  /**
   * Yields sent rows, newest first. Reads them in batches, so that a slow consumer does not block other processes'
   * writes.
   */
  *sent(only: OperationFilter): Generator<Row> {
    const { where, values } = buildCondition(only)
    const order = 'ORDER BY startedAt DESC, id'
    const ids = this.#column<string>('id', `${where} ${order}`, values)
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = JSON.stringify(ids.slice(at, at + BATCH))
      yield* this.rows(`${where} AND id IN (SELECT value FROM json_each(?)) ${order}`, ...values, batch)
    }
  }

  #column<T extends string | null>(name: keyof Row, where: string, values: readonly string[]): T[] {
    const find = `SELECT DISTINCT ${name} AS value FROM operations WHERE ${where}`
    return this.select(find, (row) => row['value'] as T, ...values)
  }

  #on(service: string, target: string, more: string): Row[] {
    const services = addressSpellings(service)
    return this.rows(`service IN (${services.map(() => '?')}) AND target = ? ${more}`, ...services, target)
  }

  put(row: Row): Row {
    this.run(PUT_ROW, ...sealed(row))
    return row
  }

  /** Changes a row, unless another process has settled it. Throws OUTCOME_UNKNOWN if another process has removed it. */
  change(id: string, values: Partial<Row>): void {
    const row = this.requireRow(id)
    if (row.state === 'open') this.put({ ...row, ...values })
  }

  end(row: Row, state: Row['state'], how: string | null, now: Moment): Row {
    return this.put({ ...row, state, how, ended: now, endedStep: this.nextStep() })
  }

  /**
   * Records that a write took effect. Overrides a user's record that it did not. Removes an open row if the service
   * responded and `keepsAnswered` is false. Throws OUTCOME_UNKNOWN if another process has removed the row or has
   * determined that the write did not take effect.
   */
  settleDone({ id, how, now }: DoneWrite, keepsAnswered: boolean): void {
    const row = this.requireRow(id)
    // Another process has already recorded the outcome, which it copied from the ledger.
    if (row.state === 'done' || row.state === 'applied') return
    if (row.state === 'not-applied' && row.how === SAID_BY_USER) this.end(row, 'applied', how ?? ANSWERED, now)
    else if (how !== null || keepsAnswered)
      this.end(this.requireOpenRow(id), how === null ? 'done' : 'applied', how, now)
    else this.removeOpen(id)
  }

  /** Moves a finished row to the table of past writes. */
  retire(row: Row): void {
    storePast(this.#database, row)
    this.remove(row.id)
  }

  deletePast(what: Parameters<typeof deletePast>[1]): void {
    deletePast(this.#database, what)
  }

  remove(id: string): void {
    this.run('DELETE FROM operations WHERE id = ?', id)
  }

  removeOpen(id: string): void {
    this.run("DELETE FROM operations WHERE id = ? AND state = 'open'", id)
  }

  nextStep(): number {
    const columns = ['claimedStep', 'sentStep', 'endedStep'].map((name) => `coalesce(max(${name}), 0)`)
    const steps = this.#prepared(`SELECT max(${columns.join(', ')}) AS last FROM operations`).get()
    return Number(steps?.['last'] ?? 0) + 1
  }

  /** Runs statements without values, such as those that create a table. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#database.close()
  }

  run(sql: string, ...values: (string | number | null)[]): void {
    this.#prepared(sql).run(...values)
  }

  /**
   * Returns a prepared statement. Each statement is prepared only once, because V8 does not account for the memory that
   * prepared statements use.
   */
  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function settledElsewhere(id: string): Failure {
  const hint = 'see its outcome: partner operations list'
  return outcomeUnknown(id, `another process has just recorded the outcome of operation ${id}`, hint)
}
