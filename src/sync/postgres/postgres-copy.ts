import { Failure } from '../../base/failure/failure.ts'
import type { Committed, Copy, Counts, HoldOptions, RunNote } from '../copy.ts'
import { NO_COUNTS, plus, Rewound } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { whereKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { CarefulWriter } from './careful-writer.ts'
import type { Address } from './connection/address.ts'
import { backoff, pause } from './connection/backoff.ts'
import { Connection, limitsFor } from './connection/connection.ts'
import { Lost } from './connection/failures.ts'
import { type Claim, leaseEnd, lostFailure, type Taken } from './lease/lease.ts'
import { Renewal } from './lease/renewal.ts'
import { jsonForPostgres, literal } from './literals.ts'
import { Pending } from './pending.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { POSITION, positionOf, positionSets } from './state-row.ts'
import { Transaction } from './transaction.ts'
import { RowWriter, removal } from './writer.ts'

/** How long a lost connection is retried, and how often between two commits. */
const RECOVERY_MS = 30_000
const MOST_LOSSES = 5

interface Opened {
  readonly name: string
  readonly address: Address
  readonly connection: Connection
  readonly claim: Claim
  readonly taken: Taken
  readonly timezone: string | null
  readonly options: HoldOptions
}

/** A copy in PostgreSQL. One transaction collects what is added, and its commit checks that the lease is still ours. */
export class PostgresCopy implements Copy {
  cursorMs: number | null
  memo: string | null
  readonly #opened: Opened
  readonly #renewal: Renewal
  readonly #writer: CarefulWriter
  #connection: Connection
  #transaction: Transaction | null = null
  readonly #pending = new Pending()
  /** The batch that the server is writing or has written. */
  #underWay: Promise<void> | null = null
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
      if (text !== record.text) await this.#sayReplaced(record)
      this.#pending.add(text === record.text ? record : { ...record, text })
      if (this.#pending.isFull) await this.#steadily(() => this.#send())
    }
  }

  async commit(cursorMs: number, note: RunNote, isComplete = false): Promise<Committed> {
    const { done, row } = await this.#steadily(() => this.#commitOnce(cursorMs, note, isComplete))
    Object.assign(this, positionOf(row))
    this.#losses = 0
    const committed = this.#writer.committed(done)
    this.#writer.forget()
    this.#pending.forget()
    this.#done = NO_COUNTS
    return committed
  }

  /** Requires that everything was committed. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.#transaction !== null || this.#underWay !== null || !this.#pending.isEmpty)
      throw new TypeError('commit first, then remove')
    await this.#steadily(async () => {
      const transaction = await this.#begin()
      await transaction.connection.query(removal(this.#opened.claim.key, ids))
      await this.#checked([])
      await transaction.commit()
      this.#transaction = null
    })
  }

  async close(): Promise<void> {
    // Nobody may be waiting for the running statement. Cutting the connection rolls it back.
    if (this.#transaction !== null || this.#underWay !== null) this.#connection.destroy()
    await this.#underWay?.catch(() => {})
    await this.#takeBack()
    await this.#renewal.giveBack(this.#connection)
    await this.#connection.close()
  }

  async #begin(): Promise<Transaction> {
    if (this.#renewal.isTaken) throw await this.#lostLease()
    this.#transaction ??= await Transaction.begin(this.#connection, this.#opened.claim.leaseMs)
    return this.#transaction
  }

  /** Prepares a batch while the server writes the one before, and resolves when that is written. */
  async #send(): Promise<void> {
    const before = this.#underWay
    if (this.#renewal.isTaken) {
      await before
      throw await this.#lostLease()
    }
    this.#underWay = this.#write(before)
    // Awaited later.
    this.#underWay.catch(() => {})
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
    await this.#underWay
    this.#underWay = null
    const transaction = await this.#begin()
    this.#done = plus(this.#done, await this.#writer.finish(transaction.connection, cursorMs, isComplete))
    const done = this.#done
    const row = await this.#checked([positionSets(cursorMs, note, done)])
    try {
      await transaction.commit()
    } catch (error) {
      if (!(error instanceof Lost) || !(await this.#wasCommitted(error, row['transaction'] ?? ''))) throw error
    }
    this.#transaction = null
    return { done, row }
  }

  /** Updates the copy's row and the lease. Fails: LOCKED if another run took the lease; then nothing is written. */
  async #checked(sets: readonly string[]) {
    const { key, leaseMs } = this.#opened.claim
    const [row] = await this.#connection.query(
      `UPDATE sync_state SET ${[...sets, `lease_until = ${leaseEnd(leaseMs)}`].join(', ')}
       WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} RETURNING ${POSITION}, txid_current() AS transaction`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Runs `act`; after a lost connection, reconnects and runs it again from the last commit. */
  async #steadily<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        this.#underWay = null
        await this.#takeBack()
        if (!(error instanceof Lost)) throw error
        await this.#recover(error)
      }
    }
  }

  async #takeBack(): Promise<void> {
    await this.#transaction?.rollBack()
    this.#transaction = null
  }

  /** Fails: as `lost` if the server does not come back; Rewound if the records since the last commit were not kept. */
  async #recover(lost: Lost): Promise<void> {
    this.#losses += 1
    if (this.#losses > MOST_LOSSES) throw lost
    await this.#opened.options.say(`${lost.words}; trying again`)
    if (!this.#connection.isLost) await pause(this.#losses, this.#opened.options.signal)
    const position = positionOf(await this.#comeBack(() => this.#own()))
    this.#writer.forget()
    this.#done = NO_COUNTS
    if (this.#pending.rewind()) return
    Object.assign(this, position)
    throw new Rewound(lost)
  }

  #comeBack<T>(act: () => Promise<T>): Promise<T> {
    const { address, claim, options } = this.#opened
    const { signal } = options
    const actOnceConnected = async () => {
      if (this.#connection.isLost) this.#connection = await Connection.open(address, limitsFor(claim.leaseMs), signal)
      return act()
    }
    return backoff(actOnceConnected, RECOVERY_MS, signal)
  }

  /** Locks the copy's row. Fails: LOCKED if another run took the lease. */
  async #own(more = '') {
    const { key } = this.#opened.claim
    const [row] = await this.#connection.query(
      `SELECT ${POSITION}${more} FROM sync_state WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} FOR UPDATE`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Whether a commit without a response was made. Fails: NETWORK_ERROR if unknown; it is not repeated then. */
  async #wasCommitted(lost: Lost, transaction: string): Promise<boolean> {
    await this.#opened.options.say(`${lost.words}; finding out whether the commit was made`)
    try {
      return await this.#comeBack(async () => {
        const row = await this.#own(`, txid_status(${literal(transaction)}::bigint) AS status`)
        if (row['status'] === 'in progress') throw lost
        return row['status'] === 'committed'
      })
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      throw new Failure('NETWORK_ERROR', `${error.words}, and the answer to the last commit was lost`, {
        hint: 'run it again: it finds out whether that was made, and goes on from there',
      })
    }
  }

  async #lostLease(): Promise<Failure> {
    const { name, claim } = this.#opened
    await this.#takeBack()
    this.#renewal.isTaken = true
    return lostFailure(this.#connection, name, claim.key)
  }

  async #sayReplaced({ id, version }: SyncRecord): Promise<void> {
    if (this.#hasReplaced) return
    this.#hasReplaced = true
    await this.#opened.options.say(
      `warning: ${id ?? version} has text that PostgreSQL cannot hold (U+0000, or half a pair of surrogates): it is stored as U+FFFD, here and in every record that follows`,
    )
  }
}
