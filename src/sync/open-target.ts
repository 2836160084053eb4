import { resolve } from 'node:path'
import { usageFailure } from '../base/failure/failure.ts'
import type { Target, TargetPlace } from './copy.ts'
import { databaseKind } from './database-kind.ts'
import type { DatabaseRows } from './database-rows.ts'
import type { Dialect } from './tables/ddl.ts'

/** What a copy can be kept in. */
export type TargetKind = 'postgres' | 'sqlite' | 'file' | 'stream'

/**
 * Which kind of target a name means: `x.ndjson`, `x.csv`, `x.db`, `postgres://…`, or `-` for a stream.
 * Fails: USAGE for a name of no known kind, and for a file that cannot be kept there.
 */
export async function targetKind(name: string): Promise<TargetKind> {
  const database = databaseKind(name)
  if (database !== null) return database
  if (name === '-') return 'stream'
  if (name.endsWith('.ndjson') || name.endsWith('.csv')) {
    ;(await import('./files/file-place.ts')).checkFilePlace(name)
    return 'file'
  }
  throw usageFailure(
    ['--to must end in .ndjson, .csv or .db, or be postgres://… or -'],
    'such as --to bookings.ndjson, --to venue.db or --to postgres://reports@db.example/venue',
  )
}

/** Opens where a copy is kept. Nothing is made or locked yet. Fails: as {@link targetKind}. */
export async function openTarget(name: string, place: TargetPlace): Promise<Target> {
  return open(await targetKind(name), name, place, '--to')
}

async function open(kind: TargetKind, name: string, place: TargetPlace, flag: string): Promise<Target> {
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

/** What of a copy may be looked at, wherever it stands. */
export type CopyToRead = Pick<Target, 'name' | 'state' | 'records' | 'snapshots' | 'cardStates' | 'close'>

/** Which kind of copy a flag means that is only looked at. Fails: USAGE, naming that flag, for one that keeps no whole records. */
export function kindToRead(name: string, flag: string): 'postgres' | 'sqlite' | 'file' {
  const database = databaseKind(name)
  if (database !== null) return database
  if (name.endsWith('.ndjson')) return 'file'
  if (name === '-' || name.endsWith('.csv')) throw usageFailure([`${flag} ${name} has not the whole records`], WHOLE)
  throw usageFailure([`${flag} must end in .ndjson or .db, or be postgres://…`], WHOLE)
}

/**
 * Which kind of database a flag means that is only looked at, where a file of records does not say enough.
 * Fails: USAGE with the hint, naming that flag.
 */
export function databaseToRead(name: string, flag: string, hint: string): 'postgres' | 'sqlite' {
  const database = databaseKind(name)
  if (database !== null) return database
  throw usageFailure([`${flag} ${JSON.stringify(name)} must be a database: x.db, or postgres://…`], hint)
}

const WHOLE = 'name a copy that bookings sync made, such as bookings.ndjson, venue.db or postgres://…'

/** Opens a copy that a flag means to look at it: it may stand where nothing can be written. Fails: USAGE, naming that flag. */
export async function openToRead(name: string, flag: string, place: TargetPlace): Promise<CopyToRead> {
  return open(kindToRead(name, flag), name, place, flag)
}

/** How to get at a copy that is only looked at, and which flag names it. */
export interface RowsPlace {
  readonly env: TargetPlace['env']
  readonly signal: AbortSignal
  /** `--copy` */
  readonly flag: string
  /** How to make a copy, for a database that has none. */
  readonly hint: string
}

/**
 * Opens a copy to look at it; nothing is made. All statements see it as it was at the first of them.
 * Fails: USAGE, also when there are no tables of a sync in it; as the database does.
 */
export async function openRows(name: string, kind: Dialect, place: RowsPlace): Promise<DatabaseRows> {
  const isFile = kind === 'sqlite'
  const database = await (isFile ? openFile(name) : openServer(name, place))
  if (database === null)
    throw usageFailure([`${place.flag}: ${isFile ? name : 'the database'} has no copy in it`], place.hint)
  try {
    await database.rows(isFile ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function openFile(name: string): Promise<DatabaseRows | null> {
  return (await import('./sqlite/database.ts')).openRows(resolve(name))
}

async function openServer(name: string, { env, flag, signal }: RowsPlace): Promise<DatabaseRows | null> {
  const { parseAddress } = await import('./postgres/connection/address.ts')
  return (await import('./postgres/schema.ts')).openRows(parseAddress(name, env, flag), signal)
}
