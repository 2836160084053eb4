import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'

type Sqlite = typeof import('node:sqlite')

/**
 * Loads Node's own SQLite. Hides the line "SQLite is an experimental feature" that Node 22 prints on stderr, and no other
 * warning. All code that uses SQLite loads it here.
 * Fails: INTERNAL on a Node that was built without SQLite.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  // Node warns while the module loads. Loading is synchronous, so nobody else sees this stand-in.
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
  if (sqlite === undefined) {
    throw new Failure('INTERNAL', 'this Node.js was built without SQLite, which partner needs', {
      hint: 'use Node.js from nodejs.org, version 22.19 or newer',
    })
  }
  return sqlite
}

/** The primary result codes of SQLite that callers handle. Source: https://sqlite.org/rescode.html */
export const SQLITE = { BUSY: 5, CORRUPT: 11, NOTADB: 26 } as const

/** The primary result code of an error of SQLite's; null for any other error. */
export function getSqliteCode(error: unknown): number | null {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown }
  // The upper bytes give details, such as SQLITE_BUSY_SNAPSHOT.
  return typeof errcode === 'number' ? errcode & 0xff : null
}

/** True when SQLite finds that the file is damaged, or is no database. */
export function isDamaged(error: unknown): boolean {
  const code = getSqliteCode(error)
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB
}

/**
 * Puts a database into the mode in which readers and a writer do not wait for each other, and waits at most this long for others
 * who are doing the same. SQLite's own waiting does not cover it: of several who switch at once, it refuses all but one at once.
 * Fails: BUSY, as SQLite says it.
 */
export function switchToWal(database: DatabaseSync, waitMs: number): void {
  const deadline = monotonicMs() + waitMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (getSqliteCode(error) !== SQLITE.BUSY || monotonicMs() >= deadline) throw error
      // Uneven waits keep waiters apart.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 + Math.random() * 10)
    }
  }
}

/**
 * Runs `work` in a transaction: keeps all of its changes when it returns, none when it throws. Inside another transaction it
 * joins that one. It takes the write lock first, so that no other process changes what `work` has read.
 */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work()
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
