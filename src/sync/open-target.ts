import { usageFailure } from '../failure/failure.ts'
import type { Target, TargetPlace } from './copy.ts'

/**
 * Opens where a copy is kept, by its name: `x.ndjson`, `x.csv`, `x.db`, `postgres://…`, or `-` for a stream. Nothing is made or locked yet.
 * Fails: USAGE for a name of no known kind.
 */
export async function openTarget(name: string, place: TargetPlace): Promise<Target> {
  if (/^postgres(?:ql)?:\/\//.test(name))
    return (await import('./postgres/postgres-target.ts')).openPostgresTarget(name, place)
  if (name.endsWith('.db')) return (await import('./sqlite/sqlite-target.ts')).openSqliteTarget(name, place)
  if (name === '-') return (await import('./files/stream-target.ts')).openStreamTarget(place)
  if (name.endsWith('.ndjson') || name.endsWith('.csv'))
    return (await import('./files/file-target.ts')).openFileTarget(name, place)
  throw usageFailure(
    ['--to must end in .ndjson, .csv or .db, or be postgres://… or -'],
    'such as --to bookings.ndjson, --to venue.db or --to postgres://reports@db.example/venue',
  )
}
