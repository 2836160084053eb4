import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadSqlite, SQLITE, sqliteCode } from '../../storage/sqlite.ts'

/** Where a data directory keeps its database. */
export function databasePath(directory: string): string {
  return join(directory, 'sandbox.db')
}

/** True when a running process has the store open. False when the store is missing or damaged. */
export function isInUse(directory: string): boolean {
  const path = databasePath(directory)
  if (!existsSync(path)) return false
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  try {
    // An open connection holds a lock that rules out an exclusive one.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    return sqliteCode(error) === SQLITE.BUSY
  } finally {
    database.close()
  }
}

/** Removes the store of a data directory, if there is one. */
export function removeStore(directory: string): void {
  const path = databasePath(directory)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}
