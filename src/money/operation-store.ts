import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { alreadyOpen } from './already-open.ts'
import { centsOf } from './cents.ts'
import type { Intent, Movement, Operation } from './operation.ts'
import { guarded, openOperations, operationsPath } from './operation-file.ts'
import { movementsAmong, operationOf, type Row } from './operation-row.ts'
import { isAlive, isElsewhere, ownerHere } from './owner.ts'

const KEPT_MS = 90 * 86_400_000

/**
 * The writes of money that are under way, or whose outcome is not known, on disk before they are sent. Shared by every
 * process of this user; each step is one durable transaction.
 */
export class OperationStore {
  readonly #database: DatabaseSync
  readonly #path: string
  #trouble: string | null = null
  #lastSent: string | null = null
  readonly #undelivered: { readonly id: string; readonly how: string | null; readonly now: number }[] = []

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  /** Where the store stands in a data directory. */
  static pathIn(dataDirectory: string): string {
    return operationsPath(dataDirectory)
  }

  /** Opens the store, making it when there is none. Fails: INTERNAL when it cannot be made, read, or trusted. */
  static open(path: string): OperationStore {
    return new OperationStore(openOperations(path), path)
  }

  /** The writes of this run that were certainly done, and whose answers are yet to be delivered. */
  get undelivered(): readonly string[] {
    return this.#undelivered.map(({ id }) => id)
  }

  /** The write that this run was the last to send; null when it sent none. */
  get lastSent(): string | null {
    return this.#lastSent
  }

  /** What could not be noted about a write that had its answer all the same; null when nothing is amiss. */
  get trouble(): string | null {
    return this.#trouble
  }

  /**
   * Claims a write: on disk, and nobody else's, before anything is sent. `force` claims it beside one that is open.
   * Fails: OUTCOME_UNKNOWN (exit 9) when the same write is open; INTERNAL when it cannot be written.
   */
  claim(intent: Intent, now: number, force: boolean): Operation {
    const id = `op_${randomBytes(8).toString('hex').slice(0, 10)}`
    const { command, service, target, amount, profile } = intent
    const { pid, born } = ownerHere()
    return this.#transaction(() => {
      this.#dropUnsent(intent)
      const open = this.#same(intent)
      if (open && !force) throw alreadyOpen(open)
      this.#run(
        `INSERT INTO operations (id, command, service, target, amount, profile, state, phase, startedAt, pid, born, forced, claimedStep)
         VALUES (?, ?, ?, ?, ?, ?, 'open', 'claimed', ?, ?, ?, ?, ?)`,
        ...[id, command, service, target, amount, profile, now, pid, born, open ? 1 : 0, this.#step()],
      )
      this.#run("DELETE FROM operations WHERE state <> 'open' AND endedAt < ?", now - KEPT_MS)
      return this.get(id)
    })
  }

  /** The open write that is the same as this one; null when there is none. Fails: INTERNAL. */
  openLike(intent: Intent): Operation | null {
    return this.#transaction(() => {
      this.#dropUnsent(intent)
      return this.#same(intent)
    })
  }

  /** Takes an open write up again, to send it once more. Fails: OUTCOME_UNKNOWN when another process has it in hand. */
  takeUp(id: string): Operation {
    return this.#transaction(() => {
      const operation = this.get(id)
      if (isElsewhere(operation)) throw alreadyOpen(operation)
      const { pid, born } = ownerHere()
      this.#run("UPDATE operations SET pid = ?, born = ? WHERE id = ? AND state = 'open'", pid, born, id)
      return this.get(id)
    })
  }

  /**
   * Notes that the write is about to leave, or was on its way until now. `before` counts the first time.
   * Fails: INTERNAL when it was settled meanwhile, so that it is not sent.
   */
  sending(id: string, before: string | null, now: number): Operation {
    this.#lastSent = id
    return this.#transaction(() => {
      const { changes } = this.#run(
        `UPDATE operations SET phase = 'sending', sentAt = ?, before = coalesce(before, ?), sentStep = coalesce(sentStep, ?)
         WHERE id = ? AND state = 'open'`,
        ...[now, before, this.#step(), id],
      )
      if (changes !== 1)
        throw new Failure('INTERNAL', `operation ${id} was settled by another process; nothing was sent`)
      return this.get(id)
    })
  }

  /** Forgets a write that was certainly not done. Never fails: what cannot be noted is {@link trouble}. */
  drop(id: string): void {
    this.#quietly(id, () => {
      this.#run("DELETE FROM operations WHERE id = ? AND state = 'open'", id)
      this.#forgetDone()
    })
  }

  /**
   * Notes that a write was certainly done; `how` when that became known although its answer was lost. It stays open on disk
   * until {@link conclude}: whoever is killed before the answer is delivered must not be able to make it again.
   */
  wasDone(id: string, how: string | null, now: number): void {
    this.#undelivered.push({ id, how, now })
  }

  /** The answers are delivered: clears what was done. Never fails: what cannot be noted is {@link trouble}. */
  conclude(): void {
    for (const { id, how, now } of this.#undelivered.splice(0)) {
      this.#quietly(id, () => {
        if (how !== null) return void this.#settled(id, 'applied', how, now)
        this.#run(
          "UPDATE operations SET state = 'done', endedStep = ? WHERE id = ? AND state = 'open'",
          this.#step(),
          id,
        )
        this.#forgetDone()
      })
    }
  }

  /** Notes that a write whose answer was lost was on its way until now. Never fails: likewise. */
  lost(id: string, now: number): void {
    this.#quietly(id, () => this.#run("UPDATE operations SET sentAt = ? WHERE id = ? AND state = 'open'", now, id))
  }

  /** Notes what became of a write. Fails: NOT_FOUND when it had a definite answer meanwhile; INTERNAL. */
  settle(id: string, state: 'applied' | 'not-applied', how: string, now: number): Operation {
    return this.#transaction(() => this.#settled(id, state, how, now))
  }

  /** What else may have moved the balance of the card that a write is for, between the reading before it and now. */
  movementsBeside({ id, service, target }: Operation): Movement[] {
    return movementsAmong(this.#all('SELECT * FROM operations WHERE service = ? AND target = ?', service, target), id)
  }

  /** Every operation that was sent, the newest first; those that are only claimed are not in doubt. */
  list(): Operation[] {
    return this.#all(
      "SELECT * FROM operations WHERE phase = 'sending' AND state <> 'done' ORDER BY startedAt DESC, id",
    ).map(operationOf)
  }

  /** Fails: NOT_FOUND. */
  get(id: string): Operation {
    const [row] = this.#all("SELECT * FROM operations WHERE id = ? AND state <> 'done'", id)
    if (row) return operationOf(row)
    throw new Failure('NOT_FOUND', `there is no operation ${JSON.stringify(id)}`, {
      hint: 'see them all: partner operations list',
    })
  }

  close(): void {
    this.#database.close()
  }

  /** A claim whose process is gone was certainly never sent. */
  #dropUnsent({ service, target }: Intent): void {
    for (const claimed of this.#openOn(service, target))
      if (claimed.phase === 'claimed' && !isAlive(claimed)) this.#run('DELETE FROM operations WHERE id = ?', claimed.id)
  }

  #forgetDone(): void {
    this.#run(`DELETE FROM operations WHERE state = 'done' AND NOT EXISTS (SELECT 1 FROM operations AS other
      WHERE other.state = 'open' AND other.service = operations.service AND other.target = operations.target)`)
  }

  #same(intent: Intent): Operation | null {
    const same = this.#openOn(intent.service, intent.target).find(
      ({ command, amount }) => command === intent.command && isSameAmount(amount, intent.amount),
    )
    return same ? operationOf(same) : null
  }

  #openOn(service: string, target: string): Row[] {
    return this.#all("SELECT * FROM operations WHERE state = 'open' AND service = ? AND target = ?", service, target)
  }

  #step(): number {
    return Number(this.#database.prepare('UPDATE steps SET last = last + 1 RETURNING last').get()?.['last'])
  }

  #run(sql: string, ...values: (string | number | null)[]) {
    return this.#database.prepare(sql).run(...values)
  }

  #all(sql: string, ...values: string[]): Row[] {
    return guarded(this.#path, () => this.#database.prepare(sql).all(...values) as unknown as Row[])
  }

  #settled(id: string, state: 'applied' | 'not-applied', how: string, now: number): Operation {
    this.#run(
      "UPDATE operations SET state = ?, how = ?, endedAt = ?, endedStep = ? WHERE id = ? AND state = 'open'",
      ...[state, how, now, this.#step(), id],
    )
    this.#forgetDone()
    return this.get(id)
  }

  #quietly(id: string, work: () => void): void {
    try {
      this.#transaction(work)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#trouble ??= `${id} could not be brought up to date: ${why}`
    }
  }

  #transaction<T>(work: () => T): T {
    return guarded(this.#path, () => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#database.exec('COMMIT')
        return result
      } catch (error) {
        // A full disk has rolled it back by itself.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    })
  }
}

function isSameAmount(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && centsOf(a) === centsOf(b))
}
