import { Failure, usageFailure } from '../failure/failure.ts'
import type { Target, TargetPlace } from './copy.ts'

/** What a copy can be kept in. */
export type TargetKind = 'postgres' | 'sqlite' | 'file' | 'stream'

/**
 * Which kind of target a name means: `x.ndjson`, `x.csv`, `x.db`, `postgres://…`, or `-` for a stream.
 * Fails: USAGE for a name of no known kind, and for a file that cannot be kept there.
 */
export async function targetKind(name: string): Promise<TargetKind> {
  const kind = kindByName(name)
  if (kind === 'file') (await import('./files/file-place.ts')).checkFilePlace(name)
  return kind
}

function kindByName(name: string): TargetKind {
  if (/^postgres(?:ql)?:\/\//.test(name)) return 'postgres'
  if (name === '-') return 'stream'
  if (name.endsWith('.db')) return 'sqlite'
  if (name.endsWith('.ndjson') || name.endsWith('.csv')) return 'file'
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
export type CopyToRead = Pick<Target, 'name' | 'state' | 'records' | 'snapshots' | 'close'>

/** Which kind of copy a flag means that is only looked at. Fails: USAGE, naming that flag, for one that keeps no whole records. */
export function kindToRead(name: string, flag: string): 'postgres' | 'sqlite' | 'file' {
  if (name === '-' || name.endsWith('.csv')) throw usageFailure([`${flag} ${name} has not the whole records`], NEEDS)
  const kind = named(flag, () => kindByName(name), NEEDS)
  if (kind === 'stream') throw new TypeError('a stream keeps nothing')
  return kind
}

const NEEDS = 'name a copy that partner bookings sync made: x.ndjson, x.db or postgres://…'

/** Opens a copy that a flag means to look at it: it may stand where nothing can be written. Fails: USAGE, naming that flag. */
export async function openToRead(name: string, flag: string, place: TargetPlace): Promise<CopyToRead> {
  switch (kindToRead(name, flag)) {
    case 'postgres': {
      const { openPostgresTarget } = await import('./postgres/postgres-target.ts')
      return named(flag, () => openPostgresTarget(name, place))
    }
    case 'sqlite':
      return (await import('./sqlite/sqlite-target.ts')).openSqliteTarget(name, place)
    case 'file':
      return (await import('./files/file-target.ts')).openFileToRead(name, place)
  }
}

/** What is said of `--to` is said of another flag. */
function named<T>(flag: string, work: () => T, hint?: string): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const failure = error.withWords(error.words.replace(/^--to\b/, flag))
    throw hint === undefined ? failure : failure.withHint(hint)
  }
}
