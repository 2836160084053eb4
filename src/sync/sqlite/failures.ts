import { accessSync, constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import { Failure } from '../../base/failure/failure.ts'
import { getSqliteCode, isDamaged, SQLITE } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** The code SQLITE_FULL. Source: https://sqlite.org/rescode.html */
const FULL = 13

/** Converts a database error to a Failure that explains it. Returns a Failure unchanged. */
export function databaseFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = getSqliteCode(error)
  if (code === SQLITE.NOTADB) return noDatabaseFailure(path, error)
  if (isDamaged(error))
    return new Failure('USAGE', `${path} is damaged; nothing was changed`, {
      hint: `choose another file, or move this one aside and run the sync again to read everything; to save its content, try: sqlite3 ${basename(path)} .recover`,
      cause: error,
    })
  if (code === SQLITE.BUSY) return busyFailure(path)
  const why = code === FULL ? 'the disk is full' : reasonInWords(error)
  const next = code === FULL ? 'free some space' : 'check that you can write to it and to its directory'
  return new Failure('INTERNAL', `cannot write to ${path}: ${why}`, {
    hint: `${next}, then run the command again to continue from the last commit`,
    cause: error,
  })
}

/** Converts an error from reading a database to a failure, as {@link databaseFailure} does. */
export function readingFailure(path: string, error: unknown): Failure {
  const code = getSqliteCode(error)
  const isWritable = attempt(() => accessSync(dirname(path), constants.W_OK) === undefined, false)
  if (isWritable || (code !== SQLITE.READONLY && code !== SQLITE.CANTOPEN)) return databaseFailure(path, error)
  // With a write-ahead log, even a reader must create a file next to the database.
  return new Failure('INTERNAL', `cannot read ${path}: SQLite cannot write to its directory`, {
    hint: 'run the command as the user who syncs the copy, or read a copy of the file in a directory of your own',
    cause: error,
  })
}

export function unreadableFailure(path: string, cause: unknown): Failure {
  return new Failure('INTERNAL', `cannot read ${path}: ${describeSystemError(cause)}`, {
    hint: 'check the permissions of the file and its owner, then run the command again',
    cause,
  })
}

/** Returns the failure for a database that is locked by another program, not by a sync of this resource. */
export function busyFailure(path: string): Failure {
  return new Failure('LOCKED', `${path} is locked: another program is writing to it`, {
    hint: 'try again when that program has finished, or close it',
  })
}

export function noDatabaseFailure(path: string, cause?: unknown): Failure {
  return new Failure('USAGE', `${path} is not a SQLite database; nothing was changed`, {
    hint: 'choose another file, or move this one aside and run the command again',
    cause,
  })
}

function reasonInWords(error: unknown): string {
  // `node:sqlite` uses one code for all errors; only the message distinguishes them.
  return getSqliteCode(error) !== null && error instanceof Error ? error.message : describeSystemError(error)
}
