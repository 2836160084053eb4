import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Failure } from '../../base/failure/failure.ts'
import { makeOwnDatabase, refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { loadSqlite, switchToWal, transaction } from '../../base/storage/sqlite.ts'
import type { TextRow } from '../../base/storage/text-row.ts'
import type { DatabaseRows } from '../database-rows.ts'
import { SCHEMA_VERSION, TABLES } from '../tables/all.ts'
import { PRODUCT } from '../tables/bookkeeping.ts'
import { createStatements } from '../tables/ddl.ts'
import { databaseFailure, noDatabaseFailure, readingFailure, unreadableFailure } from './failures.ts'

type Step = (database: DatabaseSync) => void

/** The migrations. The step at index n migrates version n to n + 1. The first step creates all tables. */
export const STEPS: readonly Step[] = [
  (database) => {
    for (const table of TABLES) for (const statement of createStatements(table, 'sqlite')) database.exec(statement)
  },
]

/** How long, in milliseconds, a statement waits for another process before the caller tries again. */
const BUSY_WAIT_MS = 250
const OPENING_WAIT_MS = 20_000
/** The page size. A row takes a few KiB, so only one row would fit on a default page of 4 KiB. */
const PAGE_BYTES = 16_384
const CACHE_KIB = 8000
const BATCH = 100
const WAL_BYTES = 64 * 1024 * 1024
const MAGIC = 'SQLite format 3\0'

/**
 * Opens a database for writing. Creates or migrates it if necessary. Throws USAGE if it is damaged, was written by a
 * newer version, or belongs to another program. Throws LOCKED if another process is writing to it, or INTERNAL if it
 * cannot be written.
 */
export function openToWrite(path: string, steps: readonly Step[] = STEPS): DatabaseSync {
  refuseOtherKinds(path)
  let database: DatabaseSync | undefined
  try {
    makeOwnDatabase(path)
    const { DatabaseSync } = loadSqlite()
    database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS })
    const form = requireSupportedVersion(database, path, steps)
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
    switchToWal(database, OPENING_WAIT_MS)
    // After a power failure, the last commits may be lost, but data and cursor are always lost together.
    database.exec(
      `PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_size_limit = ${WAL_BYTES}`,
    )
    // If the tables are up to date, there is no need to wait for other writers.
    if (form < steps.length) migrate(database, steps)
    requireSupportedVersion(database, path, steps)
    database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
    return database
  } catch (error) {
    if (database?.isOpen) database.close()
    throw databaseFailure(path, error)
  }
}

/**
 * Migrates a database and opens it for reading. Returns `null` if there is none. Throws the same errors as {@link
 * openToWrite}.
 */
export function openToRead(path: string, steps: readonly Step[] = STEPS): DatabaseSync | null {
  if (!existsSync(path) || statSync(path).size === 0) return null
  refuseOtherKinds(path)
  let database: DatabaseSync | undefined
  try {
    const { DatabaseSync } = loadSqlite()
    database = new DatabaseSync(path, { readOnly: true, timeout: OPENING_WAIT_MS })
    const form = requireSupportedVersion(database, path, steps)
    if (form === steps.length) return database
    database.close()
    if (form === 0) return null
    openToWrite(path, steps).close()
    return openToRead(path, steps)
  } catch (error) {
    if (database?.isOpen) database.close()
    throw readingFailure(path, error)
  }
}

/** Opens a copy for reading. Returns `null` if there is none. Throws the same errors as {@link openToWrite}. */
export function openRows(path: string): DatabaseRows | null {
  const database = openToRead(path)
  if (database === null) return null
  const prepared = (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement
  }
  return {
    dialect: 'sqlite',
    rows: async (sql) => {
      try {
        return prepared(sql).all().map(asText)
      } catch (error) {
        throw databaseFailure(path, error)
      }
    },
    async *batches(sql) {
      try {
        let batch: TextRow[] = []
        for (const row of prepared(sql).iterate()) {
          if (batch.push(asText(row)) < BATCH) continue
          yield batch
          batch = []
        }
        yield batch
      } catch (error) {
        throw databaseFailure(path, error)
      }
    },
    close: async () => database.close(),
  }
}

function asText(row: Record<string, unknown>): TextRow {
  for (const name in row) if (typeof row[name] !== 'string' && row[name] !== null) row[name] = String(row[name])
  return row as Record<string, string | null>
}

/**
 * Throws USAGE if a file is not a database, or INTERNAL if it cannot be read. Does not open the file with SQLite, which
 * might create other files next to it.
 */
export function refuseOtherKinds(path: string): void {
  refuseUnlessPlainDatabase(path)
  if (!existsSync(path) || statSync(path).size === 0) return
  if (readStart(path) !== MAGIC) throw noDatabaseFailure(path)
}

function readStart(path: string): string {
  const start = Buffer.alloc(MAGIC.length)
  try {
    const descriptor = openSync(path, 'r')
    try {
      readSync(descriptor, start, 0, start.length, 0)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unreadableFailure(path, error)
  }
  return start.toString('latin1')
}

function requireSupportedVersion(database: DatabaseSync, path: string, steps: readonly Step[]): number {
  const form = schemaVersionOf(database)
  if (form === null)
    throw new Failure('USAGE', `${path} is another program's database; nothing was changed`, {
      hint: 'choose another file',
    })
  if (form <= steps.length) return form
  throw new Failure(
    'USAGE',
    `${path} was written by a newer version of partner (the format of its tables is ${form}, but this version supports only ${SCHEMA_VERSION}); nothing was changed`,
    { hint: 'update partner, or choose another file' },
  )
}

/** Returns the tables' version, 0 if no tables exist, or `null` if another program created the file. */
function schemaVersionOf(database: DatabaseSync): number | null {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  if (names.length === 0) return 0
  const columns = database.prepare("SELECT name FROM pragma_table_info('schema_version')").all()
  if (!['product', 'version'].every((name) => columns.some((column) => column['name'] === name))) return null
  const row = database.prepare('SELECT version FROM schema_version WHERE product = ?').get(PRODUCT)
  return typeof row?.['version'] === 'number' ? row['version'] : null
}

function migrate(database: DatabaseSync, steps: readonly Step[]): void {
  transaction(database, () => {
    // Read the version again while holding the lock, because another process may already have migrated the tables.
    const form = schemaVersionOf(database)
    if (form === null || form >= steps.length) return
    for (const step of steps.slice(form)) step(database)
    database
      .prepare(
        'INSERT INTO schema_version (product, version, migrated_at) VALUES (?, ?, ?) ON CONFLICT (product) DO UPDATE SET version = excluded.version, migrated_at = excluded.migrated_at',
      )
      .run(PRODUCT, steps.length, new Date().toISOString())
  })
}
