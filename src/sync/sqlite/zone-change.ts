import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../storage/sqlite.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { readZone, type StateKey, writeZone } from './state-row.ts'

/**
 * Makes the local times of a copy instants again when the venue's zone became known, or is another than before. A copy whose
 * zone nobody names stays as it is.
 */
export function alignZone(database: DatabaseSync, key: StateKey, timezone: string | null): void {
  const { name, columns } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  if (timezone === null || !isConcerned || readZone(database, key) === timezone) return
  const clock = new VenueClock(timezone)
  database.function('venue_instant', { deterministic: true }, (wall) => clock.instantOf(String(wall)))
  transaction(database, () => {
    database
      .prepare(
        `UPDATE ${name} SET booking_time_utc = venue_instant(booking_time)
         WHERE source = ? AND booking_time IS NOT NULL AND booking_time_utc IS DISTINCT FROM venue_instant(booking_time)`,
      )
      .run(key.source)
    writeZone(database, key, timezone)
  })
}
