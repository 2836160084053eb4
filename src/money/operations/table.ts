import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { transaction } from '../../base/storage/sqlite.ts'
import { spellingsOf } from '../../client/same-service.ts'
import { guarded, PUT_ROW } from './file.ts'
import type { Moment } from './moment.ts'
import { SAID_BY_USER } from './operation.ts'
import { forgetPast, keepPast } from './past.ts'
import { type Row, sealed, unsealed } from './row.ts'

const ANSWERED = 'the service confirmed it'

/** A write that was done. `how` says how that is known; `null` if it had its answer. */
export interface DoneWrite {
  readonly id: string
  readonly how: string | null
  readonly now: Moment
}

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

  /** Returns the row with this ID. Fails: OUTCOME_UNKNOWN when another process removed it meanwhile. */
  keptRow(id: string): Row {
    const row = this.row(id)
    if (row === null) throw endedElsewhere(id)
    return row
  }

  /** Returns the open row with this ID. Fails: OUTCOME_UNKNOWN when another process settled or removed it meanwhile. */
  openRow(id: string): Row {
    const row = this.keptRow(id)
    if (row.state !== 'open') throw endedElsewhere(id)
    return row
  }

  /** The rows of one card, or of one sale. */
  rowsOn(service: string, target: string): Row[] {
    return this.#on(service, target, '')
  }

  /** Those of them that were sent, in the order in which they were claimed. */
  sentOn(service: string, target: string): Row[] {
    return this.#on(service, target, "AND phase <> 'claimed' ORDER BY claimedStep")
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

  #on(service: string, target: string, more: string): Row[] {
    const services = spellingsOf(service)
    return this.rows(`service IN (${services.map(() => '?')}) AND target = ? ${more}`, ...services, target)
  }

  /** Writes a row, in place of the one with its id, and returns it. */
  put(row: Row): Row {
    this.#run(PUT_ROW, ...sealed(row))
    return row
  }

  /** Ends a row in a state, and returns it. */
  end(row: Row, state: Row['state'], how: string | null, now: Moment): Row {
    return this.put({ ...row, state, how, ended: now, endedStep: this.nextStep() })
  }

  /**
   * Ends the row of a write that was done, even if the user recorded that it was not done: such a row stays on the list.
   * @param keepsAnswered whether to keep a row that had its answer. Fails: as {@link openRow}.
   */
  endDone({ id, how, now }: DoneWrite, keepsAnswered: boolean): void {
    const row = this.keptRow(id)
    if (row.state === 'not-applied' && row.how === SAID_BY_USER) this.end(row, 'applied', how ?? ANSWERED, now)
    else if (how !== null || keepsAnswered) this.end(this.openRow(id), how === null ? 'done' : 'applied', how, now)
    else this.removeOpen(id)
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

function endedElsewhere(id: string): Failure {
  return new Failure('OUTCOME_UNKNOWN', `another process has just ended operation ${id}`, {
    hint: 'see what it found out: partner operations list',
    outcome: 'unknown',
    details: { operation: id },
  })
}
