import { resolve } from 'node:path'
import { usageFailure } from '../base/failure/failure.ts'
import type { Target, TargetContext } from './copy.ts'
import { databaseKind } from './database-kind.ts'
import type { DatabaseRows } from './database-rows.ts'
import type { Dialect } from './tables/ddl.ts'

export type TargetKind = 'postgres' | 'sqlite' | 'file' | 'stream'

/**
 * Returns the kind of target that a name refers to. Throws USAGE if the kind is unknown or the file is unusable. If
 * `isToWrite` is true, the file must also be writable.
 */
export async function targetKind(name: string, isToWrite: boolean): Promise<TargetKind> {
  const database = databaseKind(name)
  if (database !== null) return database
  if (name === '-') return 'stream'
  if (name.endsWith('.ndjson') || name.endsWith('.csv')) {
    ;(await import('./files/file-location.ts')).checkFileLocation(name, isToWrite)
    return 'file'
  }
  throw usageFailure(
    ['--to must end in .ndjson, .csv or .db, or be postgres://… or -'],
    'such as --to bookings.ndjson, --to venue.db or --to postgres://reports@db.example/venue',
  )
}

/** Creates a target object. Does not create or lock anything on disk yet. Throws USAGE for an invalid address. */
export async function openTarget(name: string, kind: TargetKind, place: TargetContext): Promise<Target> {
  return open(kind, name, place, '--to')
}

async function open(kind: TargetKind, name: string, place: TargetContext, flag: string): Promise<Target> {
  switch (kind) {
    case 'postgres':
      return new (await import('./postgres/postgres-target.ts')).PostgresTarget(name, place, flag)
    case 'sqlite':
      return new (await import('./sqlite/sqlite-target.ts')).SqliteTarget(name, place)
    case 'stream':
      return new (await import('./files/stream-target.ts')).StreamTarget(place)
    case 'file':
      return new (await import('./files/file-target.ts')).FileTarget(name, place)
  }
}

export type CopyToRead = Pick<Target, 'name' | 'state' | 'records' | 'snapshots' | 'cardStates' | 'close'>

/** Returns the kind of copy to read. Throws USAGE, naming the flag, if that kind does not contain whole records. */
export function kindToRead(name: string, flag: string): 'postgres' | 'sqlite' | 'file' {
  const database = databaseKind(name)
  if (database !== null) return database
  if (name.endsWith('.ndjson')) return 'file'
  if (name === '-' || name.endsWith('.csv'))
    throw usageFailure([`${flag} ${name} does not contain complete records`], WHOLE)
  throw usageFailure([`${flag} must end in .ndjson or .db, or be postgres://…`], WHOLE)
}

/**
 * Returns the kind of database to read. Throws USAGE if the name does not denote a database. The error contains `flag`
 * and `hint`.
 */
export function databaseToRead(name: string, flag: string, hint: string): 'postgres' | 'sqlite' {
  const database = databaseKind(name)
  if (database !== null) return database
  throw usageFailure([`${flag} ${JSON.stringify(name)} must be a database: x.db, or postgres://…`], hint)
}

const WHOLE = 'choose a copy that bookings sync created, such as bookings.ndjson, venue.db or postgres://…'

/**
 * Opens a copy for reading, even if the disk is read-only. Throws USAGE, naming the flag, if the copy cannot be opened.
 */
export async function openToRead(name: string, flag: string, place: TargetContext): Promise<CopyToRead> {
  return open(kindToRead(name, flag), name, place, flag)
}

export interface RowsPlace {
  readonly env: TargetContext['env']
  readonly signal: AbortSignal
  readonly flag: string
  /** The hint for creating a copy, shown if none exists. */
  readonly hint: string
}

/**
 * Opens a database and begins a read transaction. Throws USAGE if the database contains no copy. Also throws the
 * database's errors.
 */
export async function openRows(name: string, kind: Dialect, place: RowsPlace): Promise<DatabaseRows> {
  const isFile = kind === 'sqlite'
  const database = await openDatabase(name, kind, place)
  if (database === null)
    throw usageFailure([`${place.flag}: ${isFile ? name : 'the database'} does not contain a copy`], place.hint)
  try {
    await database.rows(isFile ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function openDatabase(name: string, kind: Dialect, { env, flag, signal }: RowsPlace) {
  if (kind === 'sqlite') return (await import('./sqlite/database.ts')).openRows(resolve(name))
  const { parseAddress } = await import('../postgres/address.ts')
  return (await import('./postgres/schema.ts')).openRows(parseAddress(name, env, flag), signal)
}
