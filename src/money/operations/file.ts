import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { discard } from '../../base/storage/rename-remove.ts'
import { loadSqlite, transaction } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { migrateRows } from './migration.ts'
import { createPastTable } from './past.ts'
import { COLUMNS, sealed } from './row.ts'

/**
 * The schema. Each row ends with a seal, which is a checksum of its other values. Without the seal, a flipped bit could
 * hide an open write.
 */
const TABLE = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, cents INTEGER,
    profile TEXT, state TEXT NOT NULL, phase TEXT NOT NULL, startedAt INTEGER NOT NULL, owner TEXT NOT NULL,
    firstSent TEXT, sent TEXT, attemptMs INTEGER NOT NULL, over TEXT, before TEXT, how TEXT, ended TEXT,
    forced INTEGER NOT NULL, claimedStep INTEGER NOT NULL, sentStep INTEGER, endedStep INTEGER, seal TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_open ON operations (service, command, target, coalesce(cents, '')) WHERE state = 'open' AND forced = 0;
  CREATE INDEX on_target ON operations (service, target);
`
const VERSION = 2
const BUSY_TIMEOUT_MS = 5_000
/**
 * On Windows, SQLite does not flush the directory after it has deleted the journal, so the journal can come back after
 * a power failure and undo the commit. SQLite does flush a truncated journal.
 */
const JOURNAL_MODE = process.platform === 'win32' ? 'TRUNCATE' : 'DELETE'

/**
 * Inserts a row, or replaces the row with the same ID. INSERT OR REPLACE cannot be used: it would also delete the row
 * of an identical open write.
 */
export const PUT_ROW = `INSERT INTO operations (${COLUMNS.join(', ')}, seal) VALUES (${'?, '.repeat(COLUMNS.length)}?)
  ON CONFLICT (id) DO UPDATE SET ${[...COLUMNS, 'seal'].map((name) => `${name} = excluded.${name}`).join(', ')}`

export function operationsPath(dataDirectory: string): string {
  return join(dataDirectory, 'operations.db')
}

/**
 * Opens or creates the file. Throws INTERNAL if the file might be damaged, or if it is empty and might have lost open
 * writes.
 */
export function openOperations(path: string): DatabaseSync {
  return guarded(path, () => {
    const { DatabaseSync } = loadSqlite()
    refuseUnlessPlainDatabase(path)
    if (!existsSync(path)) create(path)
    // SQLite treats an empty file as a new database, so a file that lost its content would seem to have no open writes.
    if (statSync(path).size === 0) throw new Error('the file is empty')
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      // WAL is not used, because it keeps commits in a second file until the last process closes the database.
      database.exec(`PRAGMA journal_mode = ${JOURNAL_MODE}; PRAGMA synchronous = EXTRA`)
      checkDatabase(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/**
 * Checks the file and upgrades it from version 1. Throws Error if the table or an index is damaged, or if the version
 * is not supported.
 */
function checkDatabase(database: DatabaseSync): void {
  // Run all checks in one transaction, so that a row that another process is writing is not mistaken for damage.
  // Reading a row checks its seal, but a damaged index could hide the row, so check the indexes here.
  transaction(database, () => {
    // quick_check is not enough: it does not detect a row that is missing from an index or from the table.
    const integrity = database.prepare('PRAGMA integrity_check(1)').get() as { integrity_check?: string } | undefined
    if (integrity?.integrity_check !== 'ok') throw new Error('the file is damaged')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version === 1) upgrade(database)
    else if (version !== VERSION) throw new Error('another release of partner wrote the file')
    createPastTable(database, Date.now())
  })
}

function upgrade(database: DatabaseSync): void {
  const rows = migrateRows(database.prepare('SELECT * FROM operations').all())
  database.exec(`DROP TABLE operations; DROP TABLE steps; ${TABLE} PRAGMA user_version = ${VERSION}`)
  const put = database.prepare(PUT_ROW)
  for (const row of rows) put.run(...sealed(row))
}

function create(path: string): void {
  ensurePrivateDirectory(dirname(path))
  const { DatabaseSync } = loadSqlite()
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const database = new DatabaseSync(temporary)
    chmodSync(temporary, 0o600)
    database.exec(`PRAGMA synchronous = EXTRA; BEGIN; ${TABLE} PRAGMA user_version = ${VERSION}`)
    // A new file cannot lack earlier writes, so its history starts at 0.
    createPastTable(database, 0)
    database.exec('COMMIT')
    database.close()
    linkSync(temporary, path)
  } catch (error) {
    // EEXIST means that another process has just created the file.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    discard(temporary)
  }
}

/** Runs work on the file. Converts its errors to INTERNAL, with the file's path and the reason. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // Convert USAGE too: it is thrown if the directory is a file, and would wrongly blame the command line.
    if (error instanceof Failure && error.code !== 'USAGE') throw error
    throw new Failure(
      'INTERNAL',
      `the record of money writes in ${path} cannot be used: ${describeReason(error)}; nothing was sent`,
      {
        hint:
          (error instanceof Failure && error.hint) ||
          `free up disk space, or make ${dirname(path)} writable; if the file is damaged, inspect it before you move it aside: it lists writes whose outcome is unknown`,
        cause: error,
      },
    )
  }
}

function describeReason(error: unknown): string {
  if (error instanceof Failure) return error.message
  // node:sqlite uses the same code for all errors, so only the message is useful.
  if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' && error instanceof Error) return error.message
  return describeSystemError(error)
}
