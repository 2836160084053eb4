import { toNamespacedPath } from 'node:path'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'
import { NotUndone } from './commit-queue.ts'

type Sqlite = typeof import('node:sqlite')

/**
 * Loads Node's SQLite module and suppresses the warning that Node 22 prints. Throws INTERNAL if Node was built without
 * SQLite.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  // Node prints the warning while it loads the module. Loading is synchronous, so no other warning is suppressed.
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof process.emitWarning
  let sqlite: Sqlite | undefined
  try {
    sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
  if (sqlite === undefined)
    throw new Failure('INTERNAL', 'this Node.js was built without SQLite, which partner needs', {
      hint: 'use Node.js from nodejs.org, version 22.19 or newer',
    })
  return process.platform === 'win32' ? withLongPaths(sqlite) : sqlite
}

/**
 * Adds the `\\?\` prefix to database paths, as Node does for other files. Without it, Windows limits paths to 260
 * characters.
 */
function withLongPaths(sqlite: Sqlite): Sqlite {
  class LongPathDatabase extends sqlite.DatabaseSync {
    constructor(path: string, options: DatabaseSyncOptions = {}) {
      super(path === '' || path === ':memory:' ? path : toNamespacedPath(path), options)
    }
  }
  return { ...sqlite, DatabaseSync: LongPathDatabase }
}

/** The primary SQLite result codes that callers handle. Source: https://sqlite.org/rescode.html */
export const SQLITE = { BUSY: 5, READONLY: 8, CORRUPT: 11, CANTOPEN: 14, NOTADB: 26 } as const

/** Returns the primary result code of a SQLite error, or `null` for other errors. */
export function getSqliteCode(error: unknown): number | null {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown }
  // The upper bytes contain the extended result code, such as SQLITE_BUSY_SNAPSHOT.
  return typeof errcode === 'number' ? errcode & 0xff : null
}

/** Returns whether an error means that the file is damaged or not a database. */
export function isDamaged(error: unknown): boolean {
  const code = getSqliteCode(error)
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB
}

/**
 * Switches a database to WAL mode. SQLite's busy timeout does not apply here, so this retries for up to `waitMs`.
 * Throws SQLITE_BUSY if the database is still locked after that.
 */
export function switchToWal(database: DatabaseSync, waitMs: number): void {
  const deadline = monotonicMs() + waitMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (getSqliteCode(error) !== SQLITE.BUSY || monotonicMs() >= deadline) throw error
      // Random waits keep processes from retrying at the same time.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 + Math.random() * 10)
    }
  }
}

/**
 * Runs `work` in a savepoint of the open transaction and rolls it back if it throws. Throws {@link NotUndone} if the
 * rollback fails. Otherwise rethrows the error.
 */
export function savepoint<T>(database: DatabaseSync, work: () => T): T {
  database.exec('SAVEPOINT work')
  try {
    return work()
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back the whole transaction.
    if (!database.isTransaction) throw new NotUndone('rolled back', { cause: error })
    database.exec('ROLLBACK TO work')
    throw error
  } finally {
    if (database.isTransaction) database.exec('RELEASE work')
  }
}

/**
 * Runs `work` in a write transaction, or in the current transaction if there is one. Locks the database first, so that
 * the data that `work` reads cannot change.
 */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work()
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back the transaction.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
