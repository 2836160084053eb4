import type { Failure } from '../../failure/failure.ts'
import { type Copy, type Counts, type HoldOptions, Rewound, type RunNote } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import type { Address } from './connection/address.ts'
import { backoff } from './connection/backoff.ts'
import { Connection, limitsFor } from './connection/connection.ts'
import { Lost } from './connection/failures.ts'
import { type Claim, leaseEnd, lostFailure, type Taken } from './lease/lease.ts'
import { Renewal } from './lease/renewal.ts'
import { jsonForPostgres, literal } from './literals.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { POSITION, positionOf, positionSets, whereKey } from './state-row.ts'
import { Transaction } from './transaction.ts'
import { NO_COUNTS, plus, type RecordWriter, RowWriter, removal } from './writer.ts'

/** So much is written with one statement. */
const BATCH_RECORDS = 1000
const BATCH_CHARACTERS = 2_000_000
/** Up to here, what was added since the last commit is kept, and written again when the connection is lost. */
const MOST_KEPT_CHARACTERS = 8_000_000
/** How long a lost connection is tried again, and how often in a row without a commit. */
const RECOVERY_MS = 30_000
const MOST_LOSSES = 5

/** What a copy is opened with. */
export interface Opened {
  readonly name: string
  readonly address: Address
  readonly connection: Connection
  readonly claim: Claim
  readonly taken: Taken
  readonly timezone: string | null
  readonly options: HoldOptions
}

/**
 * A copy in PostgreSQL. What is added goes into one transaction, which begins when there is a batch of it. The commit checks in the
 * same transaction that the hold is still ours.
 */
export class PostgresCopy implements Copy {
  cursorMs: number | null
  memo: string | null
  readonly #opened: Opened
  readonly #renewal: Renewal
  readonly #writer: RecordWriter
  #connection: Connection
  #transaction: Transaction | null = null
  /** Not written yet. */
  #batch: SyncRecord[] = []
  #batchCharacters = 0
  /** All since the last commit; null: it is too much to keep. */
  #kept: SyncRecord[] | null = []
  #keptCharacters = 0
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
    this.#writer = key.resource === 'giftcards' ? new SnapshotWriter(key.source, clock) : new RowWriter(key, clock)
    this.#renewal = new Renewal(address, claim, taken.epoch)
  }

  async add(records: readonly SyncRecord[]): Promise<void> {
    for (const record of records) {
      const text = jsonForPostgres(record.text)
      if (text !== record.text) await this.#sayReplaced(record)
      const clean = text === record.text ? record : { ...record, text }
      this.#batch.push(clean)
      this.#batchCharacters += text.length
      this.#keep(clean)
      if (this.#batch.length >= BATCH_RECORDS || this.#batchCharacters >= BATCH_CHARACTERS)
        await this.#steadily(() => this.#write())
    }
  }

  async commit(cursorMs: number, note: RunNote, isComplete = false): Promise<Counts> {
    const { done, row } = await this.#steadily(() => this.#commitOnce(cursorMs, note, isComplete))
    const position = positionOf(row)
    this.cursorMs = position.cursorMs
    this.memo = position.memo
    this.#losses = 0
    this.#forget()
    return done
  }

  /** Takes records out, at once; what was added and not committed stays so. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.#transaction !== null || this.#batch.length > 0) throw new TypeError('commit first, then remove')
    await this.#steadily(async () => {
      const transaction = await this.#begin()
      await transaction.connection.query(removal(this.#opened.claim.key, ids))
      await this.#checked(`lease_until = ${leaseEnd(this.#opened.claim.leaseMs)}`)
      await transaction.commit()
      this.#transaction = null
    })
  }

  async close(): Promise<void> {
    // A statement may be under way that nobody waits for any more. Cut off, the server takes it back.
    if (this.#transaction !== null) this.#connection.destroy()
    await this.#renewal.giveBack()
    await this.#connection.close()
  }

  async #begin(): Promise<Transaction> {
    if (this.#renewal.isTaken) throw await this.#lostLease()
    const { idleInTransactionMs } = limitsFor(this.#opened.claim.leaseMs)
    this.#transaction ??= await Transaction.begin(this.#connection, idleInTransactionMs)
    return this.#transaction
  }

  async #write(): Promise<void> {
    if (this.#batch.length === 0) return
    const { connection } = await this.#begin()
    this.#done = plus(this.#done, await this.#writer.write(connection, this.#batch))
    this.#batch = []
    this.#batchCharacters = 0
  }

  async #commitOnce(cursorMs: number, note: RunNote, isComplete: boolean) {
    await this.#write()
    const transaction = await this.#begin()
    this.#done = plus(this.#done, await this.#writer.finish(transaction.connection, cursorMs, isComplete))
    const done = this.#done
    const row = await this.#checked(positionSets(cursorMs, note, done))
    try {
      await transaction.commit()
    } catch (error) {
      if (!(error instanceof Lost) || !(await this.#wasCommitted(error, row['transaction'] ?? ''))) throw error
    }
    this.#transaction = null
    return { done, row }
  }

  /** Changes the row of this copy, if it is still ours. Fails: LOCKED when somebody else took it; nothing stays written then. */
  async #checked(sets: string) {
    const { key, leaseMs } = this.#opened.claim
    const [row] = await this.#connection.query(
      `UPDATE sync_state SET ${sets}${sets.startsWith('lease_until') ? '' : `, lease_until = ${leaseEnd(leaseMs)}`}
       WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} RETURNING ${POSITION}, txid_current() AS transaction`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Does something; when the connection is lost on the way, connects again and does it anew, from the last commit. */
  async #steadily<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
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

  /** Fails: as `lost` when it does not come back; Rewound when what was added is not kept here. */
  async #recover(lost: Lost): Promise<void> {
    this.#losses += 1
    if (this.#losses > MOST_LOSSES) throw lost
    if (this.#connection.isLost) await this.#reconnect(lost)
    const kept = this.#kept
    const position = positionOf(await this.#own())
    this.#forget()
    if (kept === null) {
      this.cursorMs = position.cursorMs
      this.memo = position.memo
      throw new Rewound(lost)
    }
    this.#kept = kept
    this.#batch = [...kept]
    this.#keptCharacters = this.#batchCharacters = kept.reduce((sum, { text }) => sum + text.length, 0)
  }

  async #reconnect(lost: Lost): Promise<void> {
    const { address, claim, options } = this.#opened
    await options.say(`${lost.words}; trying again`)
    this.#connection = await backoff(() => Connection.open(address, limitsFor(claim.leaseMs), options.signal), {
      limitMs: RECOVERY_MS,
      signal: options.signal,
    })
  }

  /** The row of this copy, locked until the next statement. Fails: LOCKED when somebody else took it. */
  async #own(more = '') {
    const { key } = this.#opened.claim
    const [row] = await this.#connection.query(
      `SELECT ${POSITION}${more} FROM sync_state WHERE ${whereKey(key)} AND epoch = ${this.#opened.taken.epoch} FOR UPDATE`,
    )
    if (row === undefined) throw await this.#lostLease()
    return row
  }

  /** Whether a commit whose answer was lost was made after all. The row is waited for while the server does not know it either. */
  async #wasCommitted(lost: Lost, transaction: string): Promise<boolean> {
    await this.#reconnect(lost)
    return backoff(
      async () => {
        if (this.#connection.isLost) await this.#reconnect(lost)
        const row = await this.#own(`, txid_status(${literal(transaction)}::bigint) AS status`)
        if (row['status'] === 'in progress') throw lost
        return row['status'] === 'committed'
      },
      { limitMs: RECOVERY_MS, signal: this.#opened.options.signal },
    )
  }

  async #lostLease(): Promise<Failure> {
    const { name, claim } = this.#opened
    await this.#takeBack()
    this.#renewal.isTaken = true
    return lostFailure(this.#connection, name, claim.key)
  }

  #keep(record: SyncRecord): void {
    this.#keptCharacters += record.text.length
    if (this.#keptCharacters > MOST_KEPT_CHARACTERS) this.#kept = null
    this.#kept?.push(record)
  }

  #forget(): void {
    this.#writer.forget()
    this.#batch = []
    this.#batchCharacters = 0
    this.#kept = []
    this.#keptCharacters = 0
    this.#done = NO_COUNTS
  }

  async #sayReplaced({ id, version }: SyncRecord): Promise<void> {
    if (this.#hasReplaced) return
    this.#hasReplaced = true
    await this.#opened.options.say(
      `warning: ${id ?? version} has text that PostgreSQL cannot hold (U+0000, or half a pair of surrogates): it is stored as U+FFFD, here and in every record that follows`,
    )
  }
}
