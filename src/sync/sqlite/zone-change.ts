import type { DatabaseSync } from 'node:sqlite'
import { MAIN_TABLES } from '../tables/all.ts'
import type { StateKey } from '../tables/bookkeeping.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import { readZone, writeZone } from './state-row.ts'

/** Whether the local times of a copy are not yet instants of this zone. Null: nobody names one, and they stay as they are. */
export function hasOtherZone(database: DatabaseSync, key: StateKey, timezone: string | null): timezone is string {
  const { columns } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  return timezone !== null && isConcerned && readZone(database, key) !== timezone
}

/** Makes the local times of a copy instants again, when the venue's zone became known or is another than before. */
export function changeZone(database: DatabaseSync, key: StateKey, timezone: string): void {
  const clock = new VenueClock(timezone)
  database.function('venue_instant', { deterministic: true }, (wall) => clock.instantOf(String(wall)))
  database
    .prepare(
      `UPDATE ${MAIN_TABLES[key.resource].name} SET booking_time_utc = venue_instant(booking_time)
       WHERE source = ? AND booking_time IS NOT NULL AND booking_time_utc IS DISTINCT FROM venue_instant(booking_time)`,
    )
    .run(key.source)
  writeZone(database, key, timezone)
}
