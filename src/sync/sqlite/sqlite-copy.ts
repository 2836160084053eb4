import { type Stats, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as breathe } from 'node:timers/promises'
import { Failure } from '../../base/failure/failure.ts'
import type { Lock } from '../../base/storage/lock.ts'
import { type Copy, type CopyKey, type Counts, NO_COUNTS, type RunNote } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { indexesOf } from '../tables/ddl.ts'
import type { Table } from '../tables/table.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { begin, type Writing } from './begin.ts'
import { databaseFailure } from './failures.ts'
import { SnapshotWriter } from './gift-cards.ts'
import { HeldBack } from './held-back.ts'
import { readPosition, writePosition } from './state-row.ts'
import { RowWriter } from './writer.ts'

const FEW_ROWS = 20_000
const MAX_HELD_BACK = 2_000_000
/** The number of records to write before yielding to the event loop. */
const RECORDS_PER_TURN = 500

export interface Opened extends CopyKey, Writing {
  readonly lock: Lock
  readonly timezone: string | null
  /**
   * Whether this process also writes other venues to the file. If so, no transaction may stay open while records are
   * read.
   */
  readonly isShared: boolean
}

/**
 * A copy in a SQLite file. Records are buffered until the commit, so that other processes can still write to the file.
 */
export class SqliteCopy implements Copy {
  cursorMs: number | null
  memo: string | null
  readonly #opened: Opened
  readonly #file: Stats
  readonly #rows: RowWriter
  readonly #snapshot: SnapshotWriter | null
  readonly #waiting: HeldBack
  #heldBack: SyncRecord[] = []
  #characters = 0
  #done = { ...NO_COUNTS }
  #staged = 0
  #hasDroppedIndexes = false

  constructor(opened: Opened) {
    const { database, path, resource, source, timezone } = opened
    const clock = new VenueClock(timezone)
    const { cursorMs, memo } = readPosition(database, opened)
    this.#opened = opened
    this.#file = statSync(path)
    this.cursorMs = cursorMs
    this.memo = memo
    this.#rows = new RowWriter(database, resource, source, clock)
    this.#waiting = new HeldBack(database)
    this.#snapshot = resource === 'giftcards' ? new SnapshotWriter(database, source, clock) : null
  }

  async add(records: readonly SyncRecord[]): Promise<void> {
    for (const record of records) {
      this.#heldBack.push(record)
      this.#characters += record.text.length
    }
    if (this.#characters < MAX_HELD_BACK && !this.#opened.database.isTransaction) return
    await this.#guarded(async () => {
      if (this.#snapshot === null && this.#opened.isShared) {
        this.#waiting.put(this.#heldBack.splice(0))
        this.#characters = 0
        return
      }
      if (this.#snapshot === null) await this.#beginLargeWrite()
      await this.#write(this.#taken())
    })
  }

  async commit(cursorMs: number, note: RunNote, complete = false): Promise<Counts> {
    const { database, path } = this.#opened
    const cursor = Math.max(cursorMs, this.cursorMs ?? cursorMs)
    const done = await this.#guarded(async () => {
      if (this.#waiting.isEmpty) await begin(this.#opened)
      else await this.#beginLargeWrite()
      await this.#write(this.#waiting.records())
      await this.#write(this.#taken())
      if (this.#snapshot !== null && (complete || this.#staged > 0))
        this.#done = { ...this.#snapshot.keep(cursorMs, complete) }
      writePosition(database, this.#opened, cursor, note, this.#done)
      const now = statSync(path, { throwIfNoEntry: false })
      if (now?.ino !== this.#file.ino || now.dev !== this.#file.dev)
        throw new Failure('INTERNAL', `${path} was removed or replaced while it was being written`, {
          hint: 'run the sync again to read the records that the new file lacks',
        })
      database.exec('COMMIT')
      return this.#done
    })
    this.cursorMs = cursor
    this.memo = note.memo
    this.#forget()
    return done
  }

  async finish(): Promise<void> {
    const { database, resource } = this.#opened
    if (hasIndexes(database, MAIN_TABLES[resource])) return
    await this.#guarded(async () => {
      await begin(this.#opened)
      createIndexes(database, MAIN_TABLES[resource])
      database.exec('COMMIT')
    })
  }

  async remove(ids: readonly string[]): Promise<void> {
    const { database } = this.#opened
    if (database.isTransaction) throw new TypeError('commit before removing records')
    await this.#guarded(async () => {
      await begin(this.#opened)
      for (const id of ids) this.#rows.remove(id)
      database.exec('COMMIT')
    })
  }

  async close(): Promise<void> {
    const { database, lock } = this.#opened
    try {
      if (database.isOpen) {
        if (database.isTransaction) database.exec('ROLLBACK')
        database.close()
      }
    } finally {
      lock.release()
    }
  }

  async #beginLargeWrite(): Promise<void> {
    const { database, resource } = this.#opened
    if (database.isTransaction) return
    await begin(this.#opened)
    if (!this.#hasDroppedIndexes) dropIndexes(database, MAIN_TABLES[resource])
    this.#hasDroppedIndexes = true
  }

  #taken(): readonly SyncRecord[] {
    this.#characters = 0
    return this.#heldBack.splice(0)
  }

  async #write(records: Iterable<SyncRecord>): Promise<void> {
    let at = 0
    for (const record of records) {
      if (this.#snapshot === null) this.#done[this.#rows.write(record)]++
      else {
        this.#snapshot.stage(record)
        this.#staged++
      }
      if (++at % RECORDS_PER_TURN === 0) await breathe()
    }
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    const { database, path, signal } = this.#opened
    try {
      return await work()
    } catch (error) {
      // SQLite itself rolls back after some errors, such as a full disk.
      if (database.isTransaction) database.exec('ROLLBACK')
      this.#forget()
      throw signal.aborted && error === signal.reason ? error : databaseFailure(path, error)
    }
  }

  #forget(): void {
    this.#heldBack = []
    this.#characters = 0
    this.#done = { ...NO_COUNTS }
    if (this.#staged > 0) this.#snapshot?.clear()
    this.#staged = 0
    this.#waiting.clear()
  }
}

/** Drops a small table's indexes to speed up a large write. Callers must call {@link createIndexes} afterwards. */
function dropIndexes(database: DatabaseSync, table: Table): void {
  const { length } = database.prepare(`SELECT 1 FROM ${table.name} LIMIT ${FEW_ROWS}`).all()
  if (length === FEW_ROWS) return
  for (const { name } of indexesOf(table)) database.exec(`DROP INDEX IF EXISTS ${name}`)
}

function hasIndexes(database: DatabaseSync, table: Table): boolean {
  const existing = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?")
    .all(table.name)
  return indexesOf(table).every(({ name }) => existing.some((one) => one['name'] === name))
}

function createIndexes(database: DatabaseSync, table: Table): void {
  // Free the page cache first, because sorting may need as much memory as the cache.
  database.exec('PRAGMA shrink_memory')
  for (const { create } of indexesOf(table)) database.exec(create)
}
