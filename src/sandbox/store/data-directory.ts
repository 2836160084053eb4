import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { makeOwnDatabase, refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { removeFile } from '../../base/storage/rename-remove.ts'
import { getSqliteCode, loadSqlite, SQLITE } from '../../base/storage/sqlite.ts'
import { OTHER_DIRECTORY_HINT } from './failures.ts'

export function databasePath(directory: string): string {
  return join(directory, 'sandbox.db')
}

/** Creates a data directory with an empty database. Only this user can access them. Throws system errors. */
export function createPrivateDatabase(directory: string): void {
  // If the directory already exists, leave its permissions unchanged, because it might belong to a project.
  if (!existsSync(directory)) {
    try {
      ensurePrivateDirectory(directory)
    } catch (error) {
      throw error instanceof Failure
        ? new Failure(error.code, error.message, { hint: OTHER_DIRECTORY_HINT, cause: error })
        : error
    }
  }
  makeOwnDatabase(databasePath(directory))
}

/** Whether a running process has the store open. Returns false if the store is missing or damaged. */
export function isInUse(directory: string): boolean {
  const path = databasePath(directory)
  if (!existsSync(path)) return false
  refuseUnlessPlainDatabase(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path)
  try {
    // Each open connection holds a lock, so this connection can get an exclusive lock only if there are no others.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    return getSqliteCode(error) === SQLITE.BUSY
  } finally {
    database.close()
  }
}

export function removeStore(directory: string): void {
  const path = databasePath(directory)
  for (const suffix of ['', '-wal', '-shm']) removeFile(path + suffix)
}
