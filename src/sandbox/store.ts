import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { ensurePrivateDirectory } from '../files/directories.ts'
import { makeOwnDatabase, refuseUnlessPlainDatabase } from '../files/own-file.ts'
import { loadSqlite } from '../files/sqlite.ts'
import { reasonOf } from '../files/system-error.ts'
import { TABLES } from './store-tables.ts'

/** One row, by column name. */
export type Row = Readonly<Record<string, unknown>>

/** Raised when what a version of this program stores is no longer what the one before stored. */
const SCHEMA_VERSION = 1
const BUSY_WAIT_MS = 8000
const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/**
 * The sandbox's state: one SQLite database, in a directory or in memory. What `transaction` returned from is on disk.
 * Several processes may have the same directory open.
 */
export class Store {
  /** The data directory, or null in memory. */
  readonly directory: string | null
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #depth = 0

  private constructor(database: DatabaseSync, directory: string | null) {
    this.#database = database
    this.directory = directory
  }

  /**
   * Opens the store; an empty one has no tables yet.
   * Fails: INTERNAL, naming the path and the way out, when the file is damaged, of another version, or cannot be opened.
   */
  static open(data: string): Store {
    const path = data === ':memory:' ? data : databasePath(data)
    try {
      const { DatabaseSync } = loadSqlite()
      if (path !== ':memory:') makePrivately(data, path)
      const database = new DatabaseSync(path)
      database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
      const store = new Store(database, path === ':memory:' ? null : data)
      store.#prepare(path)
      return store
    } catch (error) {
      throw error instanceof Failure ? error : (damage(error, path) ?? cannotOpen(error, path))
    }
  }

  #prepare(path: string): void {
    const found = this.#version
    if (found !== 0 && found !== SCHEMA_VERSION) throw otherVersion(path, found)
    if (found === 0 && path !== ':memory:') this.#database.exec('PRAGMA journal_mode = WAL')
    this.#database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY')
  }

  /** Removes all tables with what is in them; inside a transaction, so that others never see them missing. */
  dropTables(): void {
    const tables = this.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (const { name } of tables) this.#database.exec(`DROP TABLE "${name}"`)
  }

  /** Makes the tables; inside the transaction that also fills them, so that no half-made venue is ever seen. */
  createTables(): void {
    this.#database.exec(TABLES)
    this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  }

  /** True when the tables stand: another process may have made them meanwhile. */
  hasTables(): boolean {
    return this.#version === SCHEMA_VERSION
  }

  get #version(): number {
    return Number(this.get('PRAGMA user_version')?.['user_version'])
  }

  /** Changes when another connection has committed. */
  get foreignVersion(): number {
    return Number(this.get('PRAGMA data_version')?.['data_version'])
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** How many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** All of it is on disk when this returns, or nothing was changed when it throws. Inside another one it joins that one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#database.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    } finally {
      this.#depth--
    }
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

const ELSEWHERE = 'choose another directory: partner sandbox start --data DIR, or --data :memory:'

/** True when a running process has the store open; a damaged or missing one is in nobody's use. */
export function isInUse(directory: string): boolean {
  const path = databasePath(directory)
  if (!existsSync(path)) return false
  refuseUnlessPlainDatabase(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  try {
    // Every open connection holds a lock that an exclusive one cannot share.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    return (Number((error as { errcode?: number } | null)?.errcode) & 0xff) === SQLITE_BUSY
  } finally {
    database.close()
  }
}

/** Throws the store away. Nothing happens when there is none. */
export function removeStore(directory: string): void {
  const path = databasePath(directory)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

/** What a damaged database tells the person; null when the error is another one. */
export function damage(error: unknown, path: string): Failure | null {
  const code = Number((error as { errcode?: number } | null)?.errcode) & 0xff
  if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) return null
  return new Failure('INTERNAL', `the sandbox's data is damaged: ${path} (it was left as it is)`, {
    hint: `keep a copy if it matters, then start afresh: ${resetOf(path)}`,
    cause: error,
  })
}

/** Where the database of a data directory is. */
export function databasePath(directory: string): string {
  return join(directory, 'sandbox.db')
}

function makePrivately(directory: string, path: string): void {
  // One that is there may be somebody's project: its rights are theirs.
  if (!existsSync(directory)) {
    try {
      ensurePrivateDirectory(directory)
    } catch (error) {
      throw error instanceof Failure ? new Failure(error.code, error.message, { hint: ELSEWHERE, cause: error }) : error
    }
  }
  makeOwnDatabase(path)
}

function cannotOpen(error: unknown, path: string): Failure {
  return new Failure('INTERNAL', `the sandbox's data cannot be opened: ${path}: ${reasonOf(error)}`, {
    hint: ELSEWHERE,
    cause: error,
  })
}

function resetOf(path: string): string {
  return `partner sandbox reset --yes --data ${dirname(path)}`
}

function otherVersion(path: string, found: number): Failure {
  return new Failure(
    'INTERNAL',
    `the sandbox's data was written by another version of partner (its form is ${found}, this one reads ${SCHEMA_VERSION}): ${path}`,
    { hint: `start afresh: ${resetOf(path)}` },
  )
}
