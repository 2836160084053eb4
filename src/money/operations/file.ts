import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../failure/failure.ts'
import { ensurePrivateDirectory } from '../../storage/directories.ts'
import { refuseUnlessPlainDatabase } from '../../storage/own-file.ts'
import { loadSqlite, transaction } from '../../storage/sqlite.ts'
import { describeSystemError } from '../../storage/system-error.ts'
import { carryOver } from './migration.ts'
import { COLUMNS, sealed, unsealed } from './row.ts'

/** Each row ends with a seal over its other values, so that a changed bit cannot hide an open write. */
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

/** Writes a row, in place of the one with its id. Not INSERT OR REPLACE, which would also take an open write away that is the same. */
export const PUT_ROW = `INSERT INTO operations (${COLUMNS.join(', ')}, seal) VALUES (${'?, '.repeat(COLUMNS.length)}?)
  ON CONFLICT (id) DO UPDATE SET ${[...COLUMNS, 'seal'].map((name) => `${name} = excluded.${name}`).join(', ')}`

/** Where the record of money writes stands in a data directory. */
export function operationsPath(dataDirectory: string): string {
  return join(dataDirectory, 'operations.db')
}

/**
 * Opens the record of money writes, making it when there is none.
 * Fails: INTERNAL when it cannot be made, read, or trusted: an empty or damaged file is never taken for "nothing is open".
 */
export function openOperations(path: string): DatabaseSync {
  return guarded(path, () => {
    const { DatabaseSync } = loadSqlite()
    refuseUnlessPlainDatabase(path)
    if (!existsSync(path)) create(path)
    // SQLite would take an empty file for a new database, and a store that lost its content for one without open operations.
    if (statSync(path).size === 0) throw new Error('the file is empty')
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      // Not WAL: what is committed would stand in a second file until the last process closes, and be gone with it.
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA')
      check(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Fails: Error when the file is damaged, an index of it included, or is of another release. Brings an earlier one up to date. */
function check(database: DatabaseSync): void {
  // In one transaction: a row that another process writes meanwhile is no damage.
  transaction(database, () => {
    // Not quick_check, which does not compare the indexes with the table: a row can be lost to the one and not the other.
    const integrity = database.prepare('PRAGMA integrity_check(1)').get() as { integrity_check?: string } | undefined
    if (integrity?.integrity_check !== 'ok') throw new Error('the file is damaged')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version === 1) upgrade(database)
    else if (version !== VERSION) throw new Error('the file is not a store of this release')
    for (const row of database.prepare('SELECT * FROM operations').all()) unsealed(row)
  })
}

function upgrade(database: DatabaseSync): void {
  const rows = carryOver(database.prepare('SELECT * FROM operations').all())
  database.exec(`DROP TABLE operations; DROP TABLE steps; ${TABLE} PRAGMA user_version = ${VERSION}`)
  const put = database.prepare(PUT_ROW)
  for (const row of rows) put.run(...sealed(row))
}

/** A new store, whole before it has its name. */
function create(path: string): void {
  ensurePrivateDirectory(dirname(path))
  const { DatabaseSync } = loadSqlite()
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const database = new DatabaseSync(temporary)
    chmodSync(temporary, 0o600)
    database.exec(`PRAGMA synchronous = EXTRA; BEGIN; ${TABLE} PRAGMA user_version = ${VERSION}; COMMIT`)
    database.close()
    linkSync(temporary, path)
  } catch (error) {
    // Another process was first: its store is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Does something with the record. Fails: INTERNAL, naming it and the reason, for whatever goes wrong there. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // A file in the way of the directory is no mistake on this command line.
    if (error instanceof Failure && error.code !== 'USAGE') throw error
    throw new Failure(
      'INTERNAL',
      `the record of money writes in ${path} cannot be used: ${reasonInWords(error)}; nothing was sent`,
      {
        hint:
          (error instanceof Failure && error.hint) ||
          `make room, or make ${dirname(path)} writable; if the file is damaged, look at it before you move it away: it names writes whose outcome is not known`,
        cause: error,
      },
    )
  }
}

function reasonInWords(error: unknown): string {
  if (error instanceof Failure) return error.message
  // node:sqlite has one code for all that can go wrong, and says what it is in the message.
  if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' && error instanceof Error) return error.message
  return describeSystemError(error)
}
