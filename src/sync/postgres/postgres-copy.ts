import { Failure } from '../../base/failure/failure.ts'
import type { Address } from '../../postgres/address.ts'
import { backoff, pause } from '../../postgres/backoff.ts'
import { Connection, limitsFor } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { literal } from '../../postgres/literal.ts'
import type { Committed, Copy, Counts, HoldOptions, RunNote } from '../copy.ts'
import { NO_COUNTS, plus, Rewound } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { whereKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { CarefulWriter } from './careful-writer.ts'
import { type Claim, leaseEnd, lostFailure, type TakenLease } from './lease/lease.ts'
import { Renewal } from './lease/renewal.ts'
import { jsonForPostgres } from './literals.ts'
import { Pending } from './pending.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { POSITION, positionOf, positionSets } from './state-row.ts'
import { Transaction } from './transaction.ts'
import { deleteRecordsSql, RowWriter } from './writer.ts'

/** The time limit for reconnecting after a lost connection. */
const RECOVERY_MS = 30_000
/** The maximum number of times that the connection can be lost between two commits. */
const MAX_LOSSES = 5

interface Opened {
  readonly name: string
  readonly address: Address
  readonly connection: Connection
  readonly claim: Claim
  readonly taken: TakenLease
  readonly timezone: string | null
  readonly options: HoldOptions
}

/** A copy in PostgreSQL. Collects records in a transaction. Commits it only if this run still has the lease. */
export class PostgresCopy implements Copy {
  cursorMs: number | null
  memo: string | null
  readonly #opened: Opened
  readonly #renewal: Renewal
  readonly #writer: CarefulWriter
  #connection: Connection
  #transaction: Transaction | null = null
  readonly #pending = new Pending()
  /** A promise that resolves when the current batch has been written. */
  #currentWrite: Promise<void> | null = null
  #done: Counts = NO_COUNTS
  #losses = 0
  #hasReplaced = false

  constructor(opened: Opened) {
    const { address, claim, connection, taken, timezone } = opened
    const clock = new VenueClock(timezone)
    this.#opened = opened
    this.#connection = connection
    this.cursorMs = taken.cursorMs
    this.memo = taken.memo
    const { key } = claim
    const isSnapshot = key.resource === 'giftcards'
    this.#writer = new CarefulWriter(isSnapshot ? new SnapshotWriter(key.source, clock) : new RowWriter(key, clock))
    this.#renewal = new Renewal(address, claim, taken.epoch)
  }

  async add(records: readonly SyncRecord[]): Promise<void> {
    for (const record of records) {
      const text = jsonForPostgres(record.text)
      if (text !== record.text) await this.#warnReplaced(record)
      this.#pending.add(text === record.text ? record : { ...record, text })
      if (this.#pending.isFull) await this.#withRecovery(() => this.#send())
    }
  }

  async commit(cursorMs: number, note: RunNote, isComplete = false): Promise<Committed> {
    const { done, row } = await this.#withRecovery(() => this.#commitOnce(cursorMs, note, isComplete))
    Object.assign(this, positionOf(row))
    this.#losses = 0
    const committed = this.#writer.committed(done)
    this.#writer.forget()
    this.#pending.forget()
    this.#done = NO_COUNTS
    return committed
  }

  /** Removes records by ID. All added records must have been committed. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.#transaction !== null || this.#currentWrite !== null || !this.#pending.isEmpty)
      throw new TypeError('commit before removing records')
    await this.#withRecovery(async () => {
      const transaction = await this.#begin()
      await transaction.connection.query(deleteRecordsSql(this.#opened.claim.key, ids))
      await this.#updateRow([])
      await transaction.commit()
      this.#transaction = null
    })
  }

  async close(): Promise<void> {
    // A statement may still be running, even if no caller is waiting for it. Closing the connection rolls it back.
    if (this.#transaction !== null || this.#currentWrite !== null) this.#connection.destroy()
    await this.#currentWrite?.catch(() => {})
    await this.#rollBack()
    await this.#renewal.release(this.#connection)
    await this.#connection.close()
  }

  async #begin(): Promise<Transaction> {
    if (this.#renewal.isTaken) throw await this.#lostLease()
    this.#transaction ??= await Transaction.begin(this.#connection, this.#opened.claim.leaseMs)
    return this.#transaction
  }

  /** Prepares a batch while the server writes the previous one. Resolves when the previous one has been written. */
  async #send(): Promise<void> {
    const before = this.#currentWrite
    if (this.#renewal.isTaken) {
      await before
      throw await this.#lostLease()
    }
    this.#currentWrite = this.#write(before)
    // Avoid an unhandled rejection until the promise is awaited.
    this.#currentWrite.catch(() => {})
    await before
  }

  async #write(before: Promise<void> | null): Promise<void> {
    const done = await this.#writer.write(async () => {
      await before
      return (await this.#begin()).connection
    }, this.#pending.take())
    this.#done = plus(this.#done, done)
  }

  async #commitOnce(cursorMs: number, note: RunNote, isComplete: boolean) {
    if (!this.#pending.isEmpty) await this.#send()
    await this.#currentWrite
    this.#currentWrite = null
    const transaction = await this.#begin()
    this.#done = plus(this.#done, await this.#writer.finish(transaction.connection, cursorMs, isComplete))
    const done = this.#done
    const row = await this.#updateRow([positionSets(cursorMs, note, done)])
    try {
      await transaction.commit()
    } catch (error) {
      if (!(error instanceof ConnectionLost) || !(await this.#wasCommitted(error, row['transaction'] ?? '')))
        throw error
    }
    this.#transaction = null
    return { done, row }
  }

  /** Updates the copy's row and the lease. If another run took the lease, throws LOCKED and writes nothing. */
  async #updateRow(sets: readonly string[]) {
    const { key, leaseMs } = this.#opened.claim
    const [row] = await this.#connection.query(
      `UPDATE sync_state SET ${[...sets, `lease_until = ${leaseEnd(leaseMs)}`].join(', ')}
       WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} RETURNING ${POSITION}, txid_current() AS transaction`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Runs `act`. If the connection is lost, reconnects and runs `act` again from the last commit. */
  async #withRecovery<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        this.#currentWrite = null
        await this.#rollBack()
        if (!(error instanceof ConnectionLost)) throw error
        await this.#recover(error)
      }
    }
  }

  async #rollBack(): Promise<void> {
    await this.#transaction?.rollBack()
    this.#transaction = null
  }

  /** Reconnects. Throws Rewound if uncommitted records were not retained, or ConnectionLost if reconnecting fails. */
  async #recover(lost: ConnectionLost): Promise<void> {
    this.#losses += 1
    if (this.#losses > MAX_LOSSES) throw lost
    await this.#opened.options.say(`${lost.words}; retrying`)
    if (!this.#connection.isLost) await pause(this.#losses, this.#opened.options.signal)
    const position = positionOf(await this.#onceConnected(() => this.#lockRow()))
    this.#writer.forget()
    this.#done = NO_COUNTS
    if (this.#pending.rewind()) return
    Object.assign(this, position)
    throw new Rewound(lost)
  }

  #onceConnected<T>(act: () => Promise<T>): Promise<T> {
    const { address, claim, options } = this.#opened
    const { signal } = options
    const actOnceConnected = async () => {
      if (this.#connection.isLost) this.#connection = await Connection.open(address, limitsFor(claim.leaseMs), signal)
      return act()
    }
    return backoff(actOnceConnected, RECOVERY_MS, signal)
  }

  /** Locks and returns the copy's row. Throws LOCKED if another run took the lease. */
  async #lockRow(more = '') {
    const { key } = this.#opened.claim
    const [row] = await this.#connection.query(
      `SELECT ${POSITION}${more} FROM sync_state WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} FOR UPDATE`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Checks whether a commit without a response took effect. Throws NETWORK_ERROR if that remains unknown. */
  async #wasCommitted(lost: ConnectionLost, transaction: string): Promise<boolean> {
    await this.#opened.options.say(`${lost.words}; checking whether the commit took effect`)
    try {
      return await this.#onceConnected(async () => {
        const row = await this.#lockRow(`, txid_status(${literal(transaction)}::bigint) AS status`)
        if (row['status'] === 'in progress') throw lost
        return row['status'] === 'committed'
      })
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      throw new Failure('NETWORK_ERROR', `${error.words}, and the response to the last commit was lost`, {
        hint: 'run the sync again to check whether the commit took effect and to continue',
      })
    }
  }

  async #lostLease(): Promise<Failure> {
    const { name, claim } = this.#opened
    await this.#rollBack()
    this.#renewal.isTaken = true
    return lostFailure(this.#connection, name, claim.key)
  }

  async #warnReplaced({ id, version }: SyncRecord): Promise<void> {
    if (this.#hasReplaced) return
    this.#hasReplaced = true
    await this.#opened.options.say(
      `warning: ${id ?? version} contains text that PostgreSQL cannot store (U+0000, or an unpaired surrogate); in this and all later records, such characters are replaced with U+FFFD`,
    )
  }
}
