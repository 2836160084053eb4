import { basename } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { getSqliteCode, isDamaged, SQLITE } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** Source: https://sqlite.org/rescode.html */
const FULL = 13

/** Explains an error of a database: which file, why, and how to go on. A Failure stays as it is. */
export function databaseFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = getSqliteCode(error)
  if (code === SQLITE.NOTADB) return noDatabaseFailure(path, error)
  if (isDamaged(error))
    return new Failure('USAGE', `${path} is damaged; it was left as it is`, {
      hint: `choose another file, or move it away and run this again: all is then read anew; sqlite3 ${basename(path)} .recover may save what is in it`,
      cause: error,
    })
  if (code === SQLITE.BUSY) return busyFailure(path)
  const why = code === FULL ? 'the disk is full' : reasonInWords(error)
  const next = code === FULL ? 'make room' : 'check that you may write to it and to its directory'
  return new Failure('INTERNAL', `cannot write to ${path}: ${why}`, {
    hint: `${next}, then run this again: it goes on from what it has kept`,
    cause: error,
  })
}

/** Another program, not a sync of this resource, has the database locked. */
export function busyFailure(path: string): Failure {
  return new Failure('LOCKED', `${path} is locked: another program is writing to it`, {
    hint: 'try again when it has ended, or close what has the database open',
  })
}

export function noDatabaseFailure(path: string, cause?: unknown): Failure {
  return new Failure('USAGE', `${path} is no database of SQLite; it was left as it is`, {
    hint: 'choose another file, or move it away and run this again',
    cause,
  })
}

function reasonInWords(error: unknown): string {
  // node:sqlite has one code for all errors; the message tells them apart.
  return getSqliteCode(error) !== null && error instanceof Error ? error.message : describeSystemError(error)
}
