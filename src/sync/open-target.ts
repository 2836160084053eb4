import { Failure, usageFailure } from '../base/failure/failure.ts'
import type { Target, TargetPlace } from './copy.ts'
import { databaseKind } from './database-kind.ts'

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
  switch (await targetKind(name)) {
    case 'postgres':
      return (await import('./postgres/postgres-target.ts')).openPostgresTarget(name, place)
    case 'sqlite':
      return (await import('./sqlite/sqlite-target.ts')).openSqliteTarget(name, place)
    case 'stream':
      return (await import('./files/stream-target.ts')).openStreamTarget(place)
    case 'file':
      return (await import('./files/file-target.ts')).openFileTarget(name, place)
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
  switch (kindToRead(name, flag)) {
    case 'postgres': {
      const { openPostgresTarget } = await import('./postgres/postgres-target.ts')
      try {
        return await openPostgresTarget(name, place)
      } catch (error) {
        throw error instanceof Failure ? error.withWords(error.words.replace(/^--to\b/, flag)) : error
      }
    }
    case 'sqlite':
      return (await import('./sqlite/sqlite-target.ts')).openSqliteTarget(name, place)
    case 'file':
      return (await import('./files/file-target.ts')).openFileToRead(name, place)
  }
}
