import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'

type Sqlite = typeof import('node:sqlite')

/**
 * Node's own SQLite, loaded at the first call, without the line "SQLite is an experimental feature" that Node 22 prints on
 * stderr; every other warning still comes through. Everything that uses SQLite loads it here.
 * Fails: INTERNAL on a Node that was built without SQLite.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  // Node gives the warning while the module loads, which is synchronous, so nobody else sees this stand-in.
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

/** The primary result codes of SQLite that callers tell apart. Source: https://sqlite.org/rescode.html */
export const SQLITE = { BUSY: 5, CORRUPT: 11, NOTADB: 26 } as const

/** The primary result code of an error that SQLite gave; null when the error is another one. */
export function getSqliteCode(error: unknown): number | null {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown }
  // The upper bytes say more about the same error, such as SQLITE_BUSY_SNAPSHOT.
  return typeof errcode === 'number' ? errcode & 0xff : null
}

/** True when SQLite finds the file damaged, or not to be a database at all. */
export function isDamaged(error: unknown): boolean {
  const code = getSqliteCode(error)
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB
}

/**
 * Runs `work` in a transaction: all of its changes are kept when this returns, none when it throws. Inside another
 * transaction it joins that one. It takes the write lock first, so `work` never reads what another process then changes.
 */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work()
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite has already rolled back by itself after some errors, a full disk among them.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
