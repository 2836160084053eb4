import { randomBytes } from 'node:crypto'
import { Failure } from '../../failure/failure.ts'
import { alreadyOpen } from './already-open.ts'
import { openOperations, operationsPath } from './file.ts'
import type { Moment } from './moment.ts'
import type { Intent, Movement, Operation } from './operation.ts'
import { ceilingAmong, movementsAmong } from './other-writes.ts'
import { ownerHere } from './owner.ts'
import { forgetOld } from './retention.ts'
import { operationOf, type Row } from './row.ts'
import { mayBeUnderWay, wasNeverSent } from './settling.ts'
import { OperationTable } from './table.ts'

/**
 * The writes of money that are under way, or whose outcome is not known, on disk before they are sent. Shared by every
 * process of this user; each step is one durable transaction.
 */
export class OperationStore {
  readonly #table: OperationTable
  #trouble: string | null = null
  #lastSent: string | null = null
  readonly #undelivered: { readonly id: string; readonly how: string | null; readonly now: Moment }[] = []

  private constructor(table: OperationTable) {
    this.#table = table
  }

  /** Where the store stands in a data directory. */
  static pathIn(dataDirectory: string): string {
    return operationsPath(dataDirectory)
  }

  /** Opens the store, making it when there is none. Fails: INTERNAL when it cannot be made, read, or trusted. */
  static open(path: string): OperationStore {
    return new OperationStore(new OperationTable(openOperations(path), path))
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
  claim(intent: Intent, attemptMs: number, now: Moment, force: boolean): Operation {
    const id = `op_${randomBytes(8).toString('hex').slice(0, 10)}`
    return this.#table.transaction(() => {
      const open = this.#same(intent, now)
      if (open && !force) throw alreadyOpen(open, now)
      this.#table.put({
        ...intent,
        ...{ id, state: 'open', phase: 'claimed', startedAt: now.wallMs, owner: ownerHere(), attemptMs },
        ...{ firstSent: null, sent: null, over: null, before: null, how: null, ended: null },
        ...{ forced: open !== null, claimedStep: this.#table.nextStep(), sentStep: null, endedStep: null },
      })
      forgetOld(this.#table, now)
      return this.get(id)
    })
  }

  /** The open write that is the same as this one; null when there is none. Fails: INTERNAL. */
  openLike(intent: Intent, now: Moment): Operation | null {
    return this.#table.transaction(() => this.#same(intent, now))
  }

  /** Takes an open write up again, to send it once more. Fails: OUTCOME_UNKNOWN when another process may have it in hand. */
  takeUp(id: string, now: Moment): Operation {
    return this.#table.transaction(() => {
      const row = this.#table.openRow(id)
      if (mayBeUnderWay(row, now)) throw alreadyOpen(operationOf(row), now)
      return operationOf(this.#table.put({ ...row, owner: ownerHere() }))
    })
  }

  /**
   * Notes that the write is about to leave. `before` counts the first time.
   * Fails: INTERNAL when it was settled meanwhile, so that it is not sent.
   */
  sending(id: string, before: string | null, now: Moment): Operation {
    this.#lastSent = id
    return this.#table.transaction(() => {
      const row = this.#table.row(id)
      if (row?.state !== 'open')
        throw new Failure('INTERNAL', `operation ${id} was settled by another process; nothing was sent`)
      const firstSent = row.firstSent ?? now
      const sentStep = row.sentStep ?? this.#table.nextStep()
      const left = {
        phase: 'sending',
        firstSent,
        sent: now,
        over: null,
        before: row.before ?? before,
        sentStep,
      } as const
      return operationOf(this.#table.put({ ...row, ...left }))
    })
  }

  /** Forgets a write that was certainly not done. Never fails: what cannot be noted is {@link trouble}. */
  drop(id: string): void {
    this.#quietly(id, () => this.#table.removeOpen(id))
  }

  /**
   * Notes that a write was certainly done; `how` when that became known although its answer was lost. It stays open on disk
   * until {@link conclude}: whoever is killed before the answer is delivered must not be able to make it again.
   */
  wasDone(id: string, how: string | null, now: Moment): void {
    this.#undelivered.push({ id, how, now })
  }

  /** The answers are delivered: clears what was done. Never fails: what cannot be noted is {@link trouble}. */
  conclude(): void {
    for (const { id, how, now } of this.#undelivered.splice(0))
      this.#quietly(id, () => this.#end(this.#table.openRow(id), how === null ? 'done' : 'applied', how, now))
  }

  /** Notes that the last attempt of a write is over and had no answer, or was sent elsewhere. Never fails: likewise. */
  lost(id: string, now: Moment, phase: 'sending' | 'redirected' = 'sending'): void {
    this.#quietly(id, () => void this.#table.put({ ...this.#table.openRow(id), over: now, phase }))
  }

  /** Notes when the process that made a write was first seen gone: nothing of it is under way since then. Fails: INTERNAL. */
  seenGone(id: string, now: Moment): Operation {
    return this.#table.transaction(() => {
      const row = this.#table.openRow(id)
      return operationOf(row.over === null ? this.#table.put({ ...row, over: now }) : row)
    })
  }

  /** Notes what became of a write. Fails: NOT_FOUND when it had a definite answer meanwhile; INTERNAL. */
  settle(id: string, state: 'applied' | 'not-applied', how: string, now: Moment): Operation {
    return this.#table.transaction(() => {
      const row = this.#table.row(id)
      if (row?.state === 'open') this.#end(row, state, how, now)
      return this.get(id)
    })
  }

  /** Ends the writes at a service that is no more, such as a sandbox that was reset, and forgets what its cards held. Fails: INTERNAL. */
  endAll(service: string, how: string, now: Moment): void {
    this.#table.transaction(() => {
      for (const row of this.#table.rows('service = ?', service)) {
        if (row.state === 'open' && row.phase !== 'claimed') this.#end(row, 'not-applied', how, now)
        else if (row.state === 'applied') this.#table.put({ ...row, before: null })
        else if (row.state !== 'not-applied') this.#table.remove(row.id)
      }
    })
  }

  /** What else may have moved the balance of the card that a write is for, between the reading before it and now. */
  movementsBeside({ id, service, target }: Operation): Movement[] {
    return movementsAmong(this.#table.rowsOn(service, target), id)
  }

  /** The most that one's own recent writes can have left on a card, in cents; null when they do not tell. `id`: one that is not counted. */
  ceilingOf({ id, service, target }: Pick<Operation, 'id' | 'service' | 'target'>, now: Moment): bigint | null {
    return ceilingAmong(this.#table.rowsOn(service, target), id, now)
  }

  /** Every operation that was sent, the newest first; those that are only claimed are not in doubt. */
  list(): Operation[] {
    return this.#table.rows("phase <> 'claimed' AND state <> 'done' ORDER BY startedAt DESC, id").map(operationOf)
  }

  /** Fails: NOT_FOUND. */
  get(id: string): Operation {
    const row = this.#table.row(id)
    if (row && row.state !== 'done') return operationOf(row)
    throw new Failure('NOT_FOUND', `there is no operation ${JSON.stringify(id)}`, {
      hint: 'see them all: partner operations list',
    })
  }

  close(): void {
    this.#table.close()
  }

  #same({ service, target, command, cents }: Intent, now: Moment): Operation | null {
    for (const row of this.#table.rowsOn(service, target)) {
      if (row.state !== 'open' || row.command !== command || row.cents !== cents) continue
      if (!wasNeverSent(row, now)) return operationOf(row)
      this.#table.remove(row.id)
    }
    return null
  }

  #end(row: Row, state: 'done' | 'applied' | 'not-applied', how: string | null, now: Moment): void {
    this.#table.put({ ...row, state, how, ended: now, endedStep: this.#table.nextStep() })
  }

  #quietly(id: string, work: () => void): void {
    try {
      this.#table.transaction(work)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#trouble ??= `${id} could not be brought up to date: ${why}`
    }
  }
}
