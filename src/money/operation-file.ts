import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../failure/failure.ts'
import { ensurePrivateDirectory } from '../files/directories.ts'
import { refuseUnlessPlainDatabase } from '../files/own-file.ts'
import { loadSqlite } from '../files/sqlite.ts'
import { reasonOf } from '../files/system-error.ts'

/**
 * `state` is that of an operation, or `done`: it had a definite answer, and is kept, unseen, while others on its card are open.
 * Steps number what happened to all operations in a row; clocks may be set back.
 */
const SCHEMA = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, amount TEXT,
    profile TEXT, state TEXT NOT NULL, phase TEXT NOT NULL, startedAt INTEGER NOT NULL, sentAt INTEGER,
    before TEXT, how TEXT, endedAt INTEGER, pid INTEGER NOT NULL, born TEXT, forced INTEGER NOT NULL,
    claimedStep INTEGER NOT NULL, sentStep INTEGER, endedStep INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX one_open ON operations (service, command, target, coalesce(amount, '')) WHERE state = 'open' AND forced = 0;
  CREATE INDEX on_target ON operations (service, target);
  CREATE TABLE steps (last INTEGER NOT NULL) STRICT;
  INSERT INTO steps VALUES (0);
  PRAGMA user_version = 1;
`
const BUSY_TIMEOUT_MS = 5_000

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
      const check = database.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined
      if (check?.quick_check !== 'ok') throw new Error('the file is damaged')
      const version = database.prepare('PRAGMA user_version').get() as { user_version?: number } | undefined
      if (version?.user_version !== 1) throw new Error('the file is not a store of this release')
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** A new store, whole before it has its name. */
function create(path: string): void {
  ensurePrivateDirectory(dirname(path))
  const { DatabaseSync } = loadSqlite()
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const database = new DatabaseSync(temporary)
    chmodSync(temporary, 0o600)
    database.exec(`PRAGMA synchronous = EXTRA; BEGIN; ${SCHEMA} COMMIT`)
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
  return reasonOf(error)
}
