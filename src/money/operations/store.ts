import { Failure, messageOf } from '../../base/failure/failure.ts'
import type { CommitQueue } from '../../base/storage/commit-queue.ts'
import { getCurrentOwner } from '../../base/storage/owner.ts'
import { alreadyOpen, noSuchOperation, refuseWhileInProgress } from './already-open.ts'
import { openOperations, operationsPath } from './file.ts'
import type { Moment } from './moment.ts'
import { type Intent, type Movement, type Operation, SAID_BY_USER } from './operation.ts'
import { findHighestBalance, findMovements } from './other-writes.ts'
import { removeOld } from './retention.ts'
import { newRow, operationOf } from './row.ts'
import { mayBeInProgress, wasNeverSent } from './settling.ts'
import { type DoneWrite, type OperationFilter, OperationTable } from './table.ts'

/** Stores money writes from before they are sent until their outcome is known. All processes share one store. */
export class OperationStore {
  readonly table: OperationTable
  readonly #queue: CommitQueue
  #trouble: string | null = null
  #hasForgotten = false
  #lastSent: string | null = null
  readonly #undelivered: DoneWrite[] = []

  private constructor(table: OperationTable) {
    this.table = table
    this.#queue = table.queue()
  }

  static readonly pathIn = operationsPath

  /** Opens or creates the store. Throws INTERNAL if that fails or if the file might be damaged. */
  static open(path: string): OperationStore {
    return new OperationStore(new OperationTable(openOperations(path), path))
  }

  /** The IDs of this run's completed writes whose responses have not been delivered yet. */
  get undelivered(): readonly string[] {
    return this.#undelivered.map(({ id }) => id)
  }

  get lastSent(): string | null {
    return this.#lastSent
  }

  /** A message about a write whose known outcome could not be recorded, or `null` if no such write exists. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Runs work in a transaction that other writes might share. Throws INTERNAL and rethrows the errors of `work`. */
  readonly together = <T>(work: () => T): Promise<T> => this.#queue.run(work)

  /** Claims a write. Throws OUTCOME_UNKNOWN if an identical write is open, unless `force` is set. Throws INTERNAL. */
  claim(intent: Intent, attemptMs: number, now: Moment, force: boolean): Operation {
    return this.table.transaction(() => {
      const open = this.#same(intent, now)
      if (open && !force) throw alreadyOpen(open, now)
      const fresh = newRow(intent, attemptMs, now, this.table.nextStep())
      const claimed = this.table.put({ ...fresh, forced: open !== null })
      removeOld(this.table, now)
      // Deleting past writes scans all of them, so do it only once per run.
      if (!this.#hasForgotten) this.table.deletePast({ nowMs: now.wallMs })
      this.#hasForgotten = true
      return operationOf(claimed)
    })
  }

  /** Returns an identical write that is open, or `null` if there is none. Throws INTERNAL. */
  findIdentical(intent: Intent, now: Moment): Operation | null {
    return this.table.transaction(() => this.#same(intent, now))
  }

  /** Stores a write that an earlier run sent, according to its journal. For `before`, see {@link markSending}. */
  adopt(intent: Intent, attemptMs: number, firstSent: Moment, before: string): Operation {
    return this.table.transaction(() => {
      const step = this.table.nextStep()
      const sent = { phase: 'sending', firstSent, sent: firstSent, before, sentStep: step + 1 } as const
      return operationOf(this.table.put({ ...newRow(intent, attemptMs, firstSent, step), ...sent }))
    })
  }

  /** Takes over an open write to send it again. Throws OUTCOME_UNKNOWN if another process might still send it. */
  takeOver(id: string, now: Moment): Operation {
    return this.table.transaction(() => {
      const row = this.table.requireOpenRow(id)
      if (mayBeInProgress(row, now)) throw alreadyOpen(operationOf(row), now)
      return operationOf(this.table.put({ ...row, owner: getCurrentOwner(), over: null }))
    })
  }

  /** Records that a write is about to be sent, and keeps an existing `before`. Throws INTERNAL if it is not open. */
  markSending(id: string, before: string | null, now: Moment): Operation {
    this.#lastSent = id
    return this.table.transaction(() => {
      const row = this.table.row(id)
      if (row?.state !== 'open')
        throw new Failure('INTERNAL', `another process has recorded the outcome of operation ${id}; nothing was sent`)
      const sentStep = row.sentStep ?? this.table.nextStep()
      return operationOf(
        this.table.put({
          ...row,
          ...{ phase: 'sending', firstSent: row.firstSent ?? now, sent: now, sentStep, over: null },
          before: row.before ?? before,
        }),
      )
    })
  }

  /** Removes a write that definitely did not take effect. Never throws; see {@link trouble}. */
  drop(id: string): void {
    this.#quietly(id, () => this.table.removeOpen(id))
  }

  /**
   * Notes that a write took effect. The write stays open on disk until {@link conclude}, in case the process is killed
   * before it delivers the response. `how` explains how the outcome is known; `null` if the service responded.
   */
  markDone(id: string, how: string | null, now: Moment): void {
    this.#undelivered.push({ id, how, now })
  }

  /** Clears completed writes after their responses have been delivered. Never throws; see {@link trouble}. */
  conclude(): void {
    for (const done of this.#undelivered.splice(0)) this.#quietly(done.id, () => this.table.settleDone(done, true))
  }

  /** Clears a completed write that does not affect other writes, such as a sale. Never throws; see {@link trouble}. */
  async concludeOne(id: string): Promise<void> {
    const at = this.#undelivered.findIndex((one) => one.id === id)
    const [done] = at < 0 ? [] : this.#undelivered.splice(at, 1)
    const ended = done && this.#queue.runSoon(() => this.table.settleDone(done, false))
    await ended?.catch((error) => this.#noteTrouble(id, error))
  }

  /** Records that the last attempt ended without a response or with a redirect. Never throws; see {@link trouble}. */
  markLost(id: string, now: Moment, phase: 'sending' | 'redirected' = 'sending'): void {
    this.#quietly(id, () => this.table.change(id, { over: now, phase }))
  }

  /** Records that a write's process has exited. Later calls have no effect. Throws OUTCOME_UNKNOWN or INTERNAL. */
  markGone(id: string, now: Moment): Operation {
    return this.table.transaction(() => {
      const row = this.table.requireRow(id)
      const isFirst = row.state === 'open' && row.over === null
      return operationOf(isFirst ? this.table.put({ ...row, over: now }) : row)
    })
  }

  /**
   * Settles a write if it is open. Throws INTERNAL, or OUTCOME_UNKNOWN if another process has removed the write.
   * Without proof that it took effect, also throws OUTCOME_UNKNOWN if another process might still be sending it.
   */
  settle(id: string, state: 'applied' | 'not-applied', how: string, now: Moment): Operation {
    return this.table.transaction(() => {
      const row = this.table.requireRow(id)
      if (row.state === 'open' && (state !== 'applied' || how === SAID_BY_USER)) refuseWhileInProgress(row, now)
      return operationOf(row.state === 'open' ? this.table.end(row, state, how, now) : row)
    })
  }

  /** Ends the open writes to a service that no longer exists, such as a reset sandbox. Throws INTERNAL. */
  endAll(service: string, how: string, now: Moment): void {
    this.table.transaction(() => {
      for (const row of this.table.rows('service = ?', service)) {
        if (row.state === 'open' && row.phase !== 'claimed') this.table.end(row, 'not-applied', how, now)
        else if (row.state === 'applied') this.table.put({ ...row, before: null })
        else if (row.state !== 'not-applied') this.table.remove(row.id)
      }
      this.table.deletePast({ goneService: service })
    })
  }

  /** Returns the IDs of the completed writes on the operation's card or sale. Throws INTERNAL. */
  endedOn({ service, target }: Operation): ReadonlySet<string> {
    return new Set(this.table.rowsOn(service, target).flatMap(({ id, ended }) => (ended === null ? [] : [id])))
  }

  /** Returns the other writes that might have changed the balance; see {@link findMovements}. Throws INTERNAL. */
  movementsBeside({ id, service, target }: Operation, ended: ReadonlySet<string>): Movement[] {
    return findMovements(this.table.rowsOn(service, target), id, ended)
  }

  /** Returns the highest balance, in cents, that our other writes allow, or `null` if unknown. Throws INTERNAL. */
  getHighestBalance({ id, service, target }: Pick<Operation, 'id' | 'service' | 'target'>, now: Moment): bigint | null {
    return findHighestBalance(this.table.rowsOn(service, target), id, now)
  }

  /** Yields the operations that were sent, newest first. Reads them lazily. Throws INTERNAL. */
  *list(only: OperationFilter = {}): Generator<Operation> {
    for (const row of this.table.sent(only)) yield operationOf(row)
  }

  /** Returns the distinct profiles of the operations in {@link list}. Throws INTERNAL. */
  profiles(only: OperationFilter): (string | null)[] {
    return this.table.profiles(only)
  }

  /** Returns an operation whose outcome is known, or `null` if it is open or was removed. Throws INTERNAL. */
  settled(id: string): Operation | null {
    const row = this.table.row(id)
    return row === null || row.state === 'open' || row.state === 'done' ? null : operationOf(row)
  }

  /** Returns the writes that were sent for a card, in the order in which they were claimed. Throws INTERNAL. */
  historyOf(service: string, target: string): Operation[] {
    return this.table.sentRowsOn(service, target).map(operationOf)
  }

  /** Returns the operation with this ID, or `null` if there is none. Throws INTERNAL. */
  find(id: string): Operation | null {
    const row = this.table.row(id)
    return row && operationOf(row)
  }

  /** Returns the operation with this ID. Throws NOT_FOUND or INTERNAL. */
  get(id: string): Operation {
    const operation = this.find(id)
    if (operation === null) throw noSuchOperation(id)
    return operation
  }

  /** Reads an operation again. Throws INTERNAL, or OUTCOME_UNKNOWN if another process has removed it. */
  reread(id: string): Operation {
    return operationOf(this.table.requireRow(id))
  }

  close(): void {
    this.table.close()
  }

  #same({ service, target, command, cents }: Intent, now: Moment): Operation | null {
    for (const row of this.table.rowsOn(service, target)) {
      if (row.state !== 'open' || row.command !== command || row.cents !== cents) continue
      if (!wasNeverSent(row, now)) return operationOf(row)
      this.table.remove(row.id)
    }
    return null
  }

  #quietly(id: string, work: () => void): void {
    try {
      this.table.transaction(work)
    } catch (error) {
      this.#noteTrouble(id, error)
    }
  }

  #noteTrouble(id: string, error: unknown): void {
    this.#trouble ??= `${id} could not be updated: ${messageOf(error)}`
  }
}
