import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { ensurePrivateDirectory } from '../files/directories.ts'
import { loadSqlite } from '../files/sqlite.ts'
import { reasonOf } from '../files/system-error.ts'
import { centsOf } from './cents.ts'
import type { Intent, Operation } from './operation.ts'

const SCHEMA = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, amount TEXT,
    profile TEXT, state TEXT NOT NULL, phase TEXT NOT NULL, startedAt INTEGER NOT NULL, sentAt INTEGER,
    before TEXT, how TEXT, endedAt INTEGER, pid INTEGER NOT NULL, forced INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_open ON operations (service, command, target, coalesce(amount, '')) WHERE state = 'open' AND forced = 0;
  CREATE INDEX open_on ON operations (service, target) WHERE state = 'open';
  PRAGMA user_version = 1;
`
const BUSY_TIMEOUT_MS = 5_000
const KEPT_MS = 90 * 86_400_000

/**
 * The writes of money that are under way, or whose outcome is not known, on disk before they are sent. Shared by every
 * process of this user; each step is one durable transaction.
 */
export class OperationStore {
  readonly #database: DatabaseSync
  readonly #path: string

  private constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  /** Where the store stands in a data directory. */
  static pathIn(dataDirectory: string): string {
    return join(dataDirectory, 'operations.db')
  }

  /**
   * Opens the store, making it when there is none.
   * Fails: INTERNAL when it cannot be made, read, or trusted: an empty or damaged file is never taken for "nothing is open".
   */
  static open(path: string): OperationStore {
    return guarded(path, () => {
      const { DatabaseSync } = loadSqlite()
      if (!existsSync(path)) create(path)
      // SQLite would take an empty file for a new database, and a store that lost its content for one without open operations.
      if (statSync(path).size === 0) throw new Error('the file is empty')
      const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
      const check = database.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined
      if (check?.quick_check !== 'ok') throw new Error('the file is damaged')
      const version = database.prepare('PRAGMA user_version').get() as { user_version?: number } | undefined
      if (version?.user_version !== 1) throw new Error('the file is not a store of this release')
      return new OperationStore(database, path)
    })
  }

  /**
   * Claims a write: on disk, and nobody else's, before anything is sent. `force` claims it beside one that is open.
   * Fails: OUTCOME_UNKNOWN (exit 9) when the same write is open; INTERNAL when it cannot be written.
   */
  claim(intent: Intent, now: number, force: boolean): Operation {
    const id = `op_${randomBytes(8).toString('hex').slice(0, 10)}`
    return this.#transaction(() => {
      this.#dropUnsent(intent)
      const open = this.#same(intent)
      if (open && !force) throw alreadyOpen(open)
      this.#database
        .prepare(
          `INSERT INTO operations (id, command, service, target, amount, profile, state, phase, startedAt, pid, forced)
           VALUES (?, ?, ?, ?, ?, ?, 'open', 'claimed', ?, ?, ?)`,
        )
        .run(
          id,
          intent.command,
          intent.service,
          intent.target,
          intent.amount,
          intent.profile,
          now,
          process.pid,
          open ? 1 : 0,
        )
      this.#database.prepare("DELETE FROM operations WHERE state <> 'open' AND endedAt < ?").run(now - KEPT_MS)
      return this.#existing(id)
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
      const operation = this.#existing(id)
      if (isAlive(operation.pid) && operation.pid !== process.pid) throw alreadyOpen(operation)
      this.#database.prepare('UPDATE operations SET pid = ? WHERE id = ?').run(process.pid, id)
      return this.#existing(id)
    })
  }

  /** Notes that the write is about to leave. Fails: INTERNAL when it was settled meanwhile, so that it is not sent. */
  sending(id: string, before: string | null, now: number): Operation {
    return this.#transaction(() => {
      const { changes } = this.#database
        .prepare("UPDATE operations SET phase = 'sending', sentAt = ?, before = ? WHERE id = ? AND state = 'open'")
        .run(now, before, id)
      if (changes !== 1)
        throw new Failure('INTERNAL', `operation ${id} was settled by another process; nothing was sent`)
      return this.#existing(id)
    })
  }

  /** Forgets a write whose outcome was never in doubt. */
  drop(id: string): void {
    this.#transaction(() => this.#database.prepare("DELETE FROM operations WHERE id = ? AND state = 'open'").run(id))
  }

  /** Notes what became of a write. */
  settle(id: string, state: 'applied' | 'not-applied', how: string, now: number): Operation {
    return this.#transaction(() => {
      this.#database
        .prepare("UPDATE operations SET state = ?, how = ?, endedAt = ? WHERE id = ? AND state = 'open'")
        .run(state, how, now, id)
      return this.#existing(id)
    })
  }

  /**
   * Notes that this much certainly left a card, so that other open writes on it are judged against what it had without that.
   * `cents` may be given with the id of the write that took it, which is left alone.
   */
  moneyLeft(service: string, target: string, cents: bigint, except: string): void {
    this.#transaction(() => {
      for (const operation of this.openOn(service, target)) {
        if (operation.id === except || operation.phase === 'claimed' || operation.before === null) continue
        if (!/^-?\d+$/.test(operation.before)) continue
        const before = String(BigInt(operation.before) - cents)
        this.#database.prepare('UPDATE operations SET before = ? WHERE id = ?').run(before, operation.id)
      }
    })
  }

  /** The open writes on a card or sale. */
  openOn(service: string, target: string): Operation[] {
    return this.#all("SELECT * FROM operations WHERE state = 'open' AND service = ? AND target = ?", service, target)
  }

  /** Every operation that was sent, the newest first; those that are only claimed are not in doubt. */
  list(): Operation[] {
    return this.#all("SELECT * FROM operations WHERE phase = 'sending' ORDER BY startedAt DESC, id")
  }

  /** Fails: NOT_FOUND. */
  get(id: string): Operation {
    const [operation] = this.#all('SELECT * FROM operations WHERE id = ?', id)
    if (operation) return operation
    throw new Failure('NOT_FOUND', `there is no operation ${JSON.stringify(id)}`, {
      hint: 'see them all: partner operations list',
    })
  }

  close(): void {
    this.#database.close()
  }

  /** A claim whose process is gone was certainly never sent. */
  #dropUnsent(intent: Intent): void {
    const claimed = this.#all(
      "SELECT * FROM operations WHERE state = 'open' AND phase = 'claimed' AND service = ? AND target = ?",
      intent.service,
      intent.target,
    )
    for (const { id, pid } of claimed)
      if (!isAlive(pid)) this.#database.prepare('DELETE FROM operations WHERE id = ?').run(id)
  }

  #same(intent: Intent): Operation | null {
    const open = this.openOn(intent.service, intent.target)
    return (
      open.find((operation) => operation.command === intent.command && sameAmount(operation.amount, intent.amount)) ??
      null
    )
  }

  #existing(id: string): Operation {
    const [operation] = this.#all('SELECT * FROM operations WHERE id = ?', id)
    if (!operation) throw new Failure('INTERNAL', `operation ${id} is gone from ${this.#path}`)
    return operation
  }

  #all(sql: string, ...values: string[]): Operation[] {
    return guarded(this.#path, () => this.#database.prepare(sql).all(...values) as unknown as Operation[])
  }

  #transaction<T>(work: () => T): T {
    return guarded(this.#path, () => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#database.exec('COMMIT')
        return result
      } catch (error) {
        this.#database.exec('ROLLBACK')
        throw error
      }
    })
  }
}

/** A new store, whole before it has its name. */
function create(path: string): void {
  ensurePrivateDirectory(dirname(path))
  const { DatabaseSync } = loadSqlite()
  const temporary = `${path}.${process.pid}.new`
  rmSync(temporary, { force: true })
  try {
    const database = new DatabaseSync(temporary)
    chmodSync(temporary, 0o600)
    database.exec(`PRAGMA synchronous = EXTRA; BEGIN; ${SCHEMA} COMMIT`)
    database.close()
    linkSync(temporary, path)
  } catch (error) {
    // Another process was first: its store is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      'INTERNAL',
      `the record of money writes in ${path} cannot be used: ${reasonOf(error)}; nothing was sent`,
      {
        hint: `make room, or make ${dirname(path)} writable; if the file is damaged, look at it before you move it away: it names writes whose outcome is not known`,
        cause: error,
      },
    )
  }
}

/** The refusal of a write that is open already, and what to do about it. */
export function alreadyOpen(open: Operation): Failure {
  const what =
    open.amount === null ? `${open.command} ${open.target}` : `${open.command} ${open.target} --amount ${open.amount}`
  const since = new Date(open.startedAt).toISOString()
  const message =
    open.phase === 'claimed' || isAlive(open.pid)
      ? `the same write is under way in process ${open.pid}: ${what}, since ${since}; nothing was sent`
      : `it is not known whether this was done before: ${what}, at ${since}; nothing was sent`
  return new Failure('OUTCOME_UNKNOWN', message, {
    hint: `find out: partner operations resolve ${open.id}; or do it all the same with --force`,
    outcome: 'unknown',
    details: { operation: open.id },
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function sameAmount(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && centsOf(a) === centsOf(b))
}
