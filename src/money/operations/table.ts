import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Failure } from '../../base/failure/failure.ts'
import { CommitQueue } from '../../base/storage/commit-queue.ts'
import { savepoint, transaction } from '../../base/storage/sqlite.ts'
import { addressSpellings } from '../../client/same-service.ts'
import { inDoubt } from './already-open.ts'
import { guarded, PUT_ROW } from './file.ts'
import type { Moment } from './moment.ts'
import { SAID_BY_USER } from './operation.ts'
import { forgetPast, keepPast } from './past.ts'
import { type Row, sealed, unsealed } from './row.ts'

const BATCH = 200
const ANSWERED = 'the service confirmed it'

/** Selects operations; `undefined` selects all. */
export type OperationFilter = { readonly [name in 'profile' | 'state']?: string | undefined }

function conditionOf(only: OperationFilter) {
  const given = Object.entries(only).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const conditions = given.map(([name]) => ` AND ${name} = ?`).join('')
  return { where: `phase <> 'claimed' AND state <> 'done'${conditions}`, values: given.map(([, value]) => value) }
}

/** A write that was done. `how`: how that is known; null if there was a response. */
export interface DoneWrite {
  readonly id: string
  readonly how: string | null
  readonly now: Moment
}

/** The stored money writes. Reading and `transaction` fail with INTERNAL, which names the file and the reason. */
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

  /** Combines the transactions of one turn of the event loop. */
  queue(): CommitQueue {
    return new CommitQueue(
      (work) => this.transaction(work),
      (work) => savepoint(this.#database, work),
    )
  }

  row(id: string): Row | null {
    return this.rows('id = ?', id)[0] ?? null
  }

  /** Fails: OUTCOME_UNKNOWN if another process removed the row. */
  keptRow(id: string): Row {
    const row = this.row(id)
    if (row === null) throw endedElsewhere(id)
    return row
  }

  /** Fails: OUTCOME_UNKNOWN if another process settled or removed the row. */
  openRow(id: string): Row {
    const row = this.keptRow(id)
    if (row.state !== 'open') throw endedElsewhere(id)
    return row
  }

  rowsOn(service: string, target: string): Row[] {
    return this.#on(service, target, '')
  }

  /** The sent rows of {@link rowsOn}, in the order of their claims. */
  sentOn(service: string, target: string): Row[] {
    return this.#on(service, target, "AND phase <> 'claimed' ORDER BY claimedStep")
  }

  /** `where`: an SQL condition. */
  rows(where: string, ...values: string[]): Row[] {
    return guarded(this.#path, () =>
      this.#prepared(`SELECT * FROM operations WHERE ${where}`)
        .all(...values)
        .map(unsealed),
    )
  }

  /** The profiles of {@link sent}. */
  profiles(only: OperationFilter): (string | null)[] {
    const { where, values } = conditionOf(only)
    return this.#column('profile', where, values)
  }

  /** Reads sent rows, newest first, in batches, so that a slow reader does not lock out writers. */
  *sent(only: OperationFilter): Generator<Row> {
    const { where, values } = conditionOf(only)
    const order = 'ORDER BY startedAt DESC, id'
    const ids = this.#column<string>('id', `${where} ${order}`, values)
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = JSON.stringify(ids.slice(at, at + BATCH))
      yield* this.rows(`${where} AND id IN (SELECT value FROM json_each(?)) ${order}`, ...values, batch)
    }
  }

  #column<T extends string | null>(name: keyof Row, where: string, values: readonly string[]): T[] {
    const find = `SELECT DISTINCT ${name} AS value FROM operations WHERE ${where}`
    const read = () => this.#prepared(find).all(...values)
    return guarded(this.#path, read).map((row) => row['value'] as T)
  }

  #on(service: string, target: string, more: string): Row[] {
    const services = addressSpellings(service)
    return this.rows(`service IN (${services.map(() => '?')}) AND target = ? ${more}`, ...services, target)
  }

  /** Inserts or replaces a row. */
  put(row: Row): Row {
    this.#run(PUT_ROW, ...sealed(row))
    return row
  }

  end(row: Row, state: Row['state'], how: string | null, now: Moment): Row {
    return this.put({ ...row, state, how, ended: now, endedStep: this.nextStep() })
  }

  /** Marks a row as done, even if the user recorded otherwise: then the row stays. Fails: as {@link openRow}. */
  endDone({ id, how, now }: DoneWrite, keepsAnswered: boolean): void {
    const row = this.keptRow(id)
    if (row.state === 'not-applied' && row.how === SAID_BY_USER) this.end(row, 'applied', how ?? ANSWERED, now)
    else if (how !== null || keepsAnswered) this.end(this.openRow(id), how === null ? 'done' : 'applied', how, now)
    else this.removeOpen(id)
  }

  /** Moves a finished row to the past. */
  retire(row: Row): void {
    keepPast(this.#database, row)
    this.remove(row.id)
  }

  forgetPast(what: Parameters<typeof forgetPast>[1]): void {
    forgetPast(this.#database, what)
  }

  remove(id: string): void {
    this.#run('DELETE FROM operations WHERE id = ?', id)
  }

  removeOpen(id: string): void {
    this.#run("DELETE FROM operations WHERE id = ? AND state = 'open'", id)
  }

  nextStep(): number {
    const columns = ['claimedStep', 'sentStep', 'endedStep'].map((name) => `coalesce(max(${name}), 0)`)
    const steps = this.#prepared(`SELECT max(${columns.join(', ')}) AS last FROM operations`).get()
    return Number(steps?.['last'] ?? 0) + 1
  }

  close(): void {
    this.#database.close()
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#prepared(sql).run(...values)
  }

  /** Prepares each statement once, because V8 does not see the memory of prepared statements. */
  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function endedElsewhere(id: string): Failure {
  const hint = 'see what it found out: partner operations list'
  return inDoubt(id, `another process has just ended operation ${id}`, hint)
}
