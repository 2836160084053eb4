import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { makeOwnDatabase, refuseUnlessPlainDatabase } from '../../base/storage/own-file.ts'
import { loadSqlite, switchToWal } from '../../base/storage/sqlite.ts'
import { formOf, migrate, STEPS, type Step } from './schema.ts'
import { databaseFailure, foreignFailure, newerFailure, noDatabaseFailure } from './trouble.ts'

/** How long one statement waits for another process before the caller is asked again. Milliseconds. */
const BUSY_WAIT_MS = 250
const OPENING_WAIT_MS = 20_000
/** A row is some KiB, and a page of 4 KiB would hold one. */
const PAGE_BYTES = 16_384
const CACHE_KIB = 8000
const WAL_BYTES = 64 * 1024 * 1024
const MAGIC = 'SQLite format 3\0'

/**
 * Opens a database to write, and makes it when there is none, for its owner alone. An older form is brought forward.
 * Fails: USAGE for a damaged one, a newer one and one of something else, each left as it is; INTERNAL; LOCKED.
 */
export function openToWrite(path: string, steps: readonly Step[] = STEPS): DatabaseSync {
  refuseOtherKinds(path)
  let database: DatabaseSync | undefined
  try {
    makeOwnDatabase(path)
    const { DatabaseSync } = loadSqlite()
    database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS })
    const form = refuseOthers(database, path, steps)
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
    switchToWal(database, OPENING_WAIT_MS)
    // A power cut may take the last commits back, data and cursor together.
    database.exec(
      `PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_size_limit = ${WAL_BYTES}`,
    )
    // One that is up to date waits for nobody who is writing.
    if (form < steps.length) migrate(database, steps)
    refuseOthers(database, path, steps)
    database.exec(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`)
    return database
  } catch (error) {
    if (database?.isOpen) database.close()
    throw databaseFailure(path, error)
  }
}

/** Opens a database to read; null when there is none. An older form is brought forward first. Fails: as {@link openToWrite}. */
export function openToRead(path: string, steps: readonly Step[] = STEPS): DatabaseSync | null {
  if (!existsSync(path) || statSync(path).size === 0) return null
  refuseOtherKinds(path)
  let database: DatabaseSync | undefined
  try {
    const { DatabaseSync } = loadSqlite()
    database = new DatabaseSync(path, { readOnly: true, timeout: OPENING_WAIT_MS })
    const form = refuseOthers(database, path, steps)
    if (form === steps.length) return database
    database.close()
    if (form === 0) return null
    openToWrite(path, steps).close()
    return openToRead(path, steps)
  } catch (error) {
    if (database?.isOpen) database.close()
    throw databaseFailure(path, error)
  }
}

/** Fails: USAGE when what stands at the path is no database. It does not open one, so that nothing appears beside it. */
export function refuseOtherKinds(path: string): void {
  refuseUnlessPlainDatabase(path)
  if (!existsSync(path) || statSync(path).size === 0) return
  const start = Buffer.alloc(MAGIC.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, start, 0, start.length, 0)
  } finally {
    closeSync(descriptor)
  }
  if (start.toString('latin1') !== MAGIC) throw noDatabaseFailure(path)
}

/** Fails: USAGE when the database is newer, or of something else. */
function refuseOthers(database: DatabaseSync, path: string, steps: readonly Step[]): number {
  const form = formOf(database)
  if (form === 'foreign') throw foreignFailure(path)
  if (form === 'empty') return 0
  if (form > steps.length) throw newerFailure(path, form)
  return form
}
