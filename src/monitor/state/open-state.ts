import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure, messageOf, usageFailure } from '../../base/failure/failure.ts'
import { makeOwnDatabase, refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { getSqliteCode, loadSqlite, SQLITE, transaction } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** The application ID in the state files of `partner monitor`: "pmon" in ASCII. */
const APPLICATION_ID = 0x706d6f6e
const VERSION = 1
const BUSY_TIMEOUT_MS = 5000

/** Times are in epoch milliseconds. `profile` is '' if no profile is used, and `state` is JSON. */
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE checks (
    name TEXT NOT NULL, profile TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (name, profile)
  ) STRICT;
  CREATE TABLE alerts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, profile TEXT NOT NULL, line TEXT NOT NULL
  ) STRICT;
  CREATE TABLE deliveries (
    alert INTEGER NOT NULL REFERENCES alerts (number), destination TEXT NOT NULL, queued INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0, problem TEXT,
    PRIMARY KEY (alert, destination)
  ) STRICT;
  CREATE TABLE destinations (key TEXT PRIMARY KEY, kind TEXT NOT NULL) STRICT;
`

/** The space, in bytes, that a new file reserves for changes and alerts. */
const RESERVED_BYTES = 256 * 1024

/**
 * Opens a monitor's state file. If it does not exist, creates it if `mayCreate` is true, and otherwise returns
 * `null`. With `mayCreate`, the caller must hold the monitor's lock. Throws USAGE if the file is not a state file, or
 * INTERNAL if it cannot be used.
 */
export function openState(path: string, mayCreate: boolean): DatabaseSync | null {
  return guarded(path, () => {
    if (!existsSync(path) && !mayCreate) return null
    refuseUnlessPlainDatabase(path)
    if (mayCreate) makeOwnDatabase(path)
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      // Keep the journal file between transactions, so that changes can be recorded even if the disk is full.
      database.exec('PRAGMA journal_mode = PERSIST; PRAGMA synchronous = FULL')
      const isNew = checkVersion(database, path)
      if (isNew && mayCreate) create(database)
      if (!isNew || mayCreate) return database
      database.close()
      return null
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Returns whether the file is new. Throws USAGE if it is not a state file, or Error if another release wrote it. */
function checkVersion(database: DatabaseSync, path: string): boolean {
  const read = (pragma: string) => Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])
  if (read('page_count') === 0) return true
  if (read('application_id') !== APPLICATION_ID) throw foreignFile(path)
  if (read('user_version') !== VERSION) throw new Error('another release of partner wrote the file')
  return false
}

function create(database: DatabaseSync): void {
  transaction(database, () => {
    database.exec(`${TABLES} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`)
    const id = randomBytes(16).toString('hex')
    database.prepare("INSERT INTO meta VALUES ('id', ?)").run(id)
  })
  // Reserve disk space: the UPDATE grows the journal, and DROP TABLE leaves free pages in the file.
  database.exec(`
    CREATE TABLE reserve (bytes BLOB);
    INSERT INTO reserve VALUES (zeroblob(${RESERVED_BYTES}));
    UPDATE reserve SET bytes = randomblob(${RESERVED_BYTES});
    DROP TABLE reserve;
  `)
}

/**
 * Runs `work` on a state file. Rethrows a Failure and converts any other error to INTERNAL, or to USAGE if the file is
 * not a database.
 */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw error
    if (getSqliteCode(error) === SQLITE.NOTADB) throw foreignFile(path)
    const isSqlite = (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR'
    const why = isSqlite || !(error as NodeJS.ErrnoException).code ? messageOf(error) : describeSystemError(error)
    throw new Failure('INTERNAL', `the monitor's state in ${path} cannot be used: ${why}`, {
      hint: `free up disk space, or make ${dirname(path)} writable; you can move a damaged file aside, but the monitor will then report existing faults again`,
      cause: error,
    })
  }
}

function foreignFile(path: string): Failure {
  return usageFailure([`${path} is not a state file of partner monitor`], 'choose another file with --state')
}
