import { MAIN_TABLES } from '../tables/all.ts'
import { VenueClock } from '../tables/venue-clock.ts'
import type { Connection } from './connection/connection.ts'
import type { Claim, Taken } from './lease/lease.ts'
import { literal, textArray } from './literals.ts'
import { whereKey } from './state-row.ts'
import { Transaction } from './transaction.ts'

/** Times that are looked at together. */
const BATCH = 2000

/**
 * Makes the local times of a copy instants again, when the venue's zone became known or is another than before. The times of the
 * server's own zones may differ in the hour that comes twice, so they are computed here. Null: nobody names a zone, and they stay.
 */
export async function changeZone(
  connection: Connection,
  { key }: Claim,
  taken: Taken,
  timezone: string | null,
  idleMs: number,
): Promise<void> {
  const { columns, name } = MAIN_TABLES[key.resource]
  const isConcerned = columns.some(({ origin }) => 'wallPath' in origin)
  if (timezone === null || !isConcerned || taken.timezone === timezone) return
  const clock = new VenueClock(timezone)
  const source = literal(key.source)
  const transaction = await Transaction.begin(connection, idleMs)
  try {
    for (let last = ''; ; ) {
      const after = last === '' ? '' : ` AND booking_time > ${literal(last)}::timestamp`
      const rows = await connection.query(
        `SELECT DISTINCT to_char(booking_time, 'YYYY-MM-DD"T"HH24:MI:SS') AS wall FROM ${name}
         WHERE source = ${source} AND booking_time IS NOT NULL${after} ORDER BY 1 LIMIT ${BATCH}`,
      )
      const walls = rows.map(({ wall }) => wall ?? '')
      if (walls.length === 0) break
      const instants = walls.map((wall) => clock.instantOf(wall) ?? '')
      await connection.query(
        `UPDATE ${name} AS t SET booking_time_utc = nullif(utc, '')::timestamptz
         FROM unnest(${textArray(walls)}, ${textArray(instants)}) AS v (wall, utc)
         WHERE t.source = ${source} AND t.booking_time = wall::timestamp
           AND t.booking_time_utc IS DISTINCT FROM nullif(utc, '')::timestamptz`,
      )
      last = walls.at(-1) ?? ''
    }
    await connection.query(
      `UPDATE sync_state SET timezone = ${literal(timezone)} WHERE ${whereKey(key)} AND epoch = ${taken.epoch}`,
    )
    await transaction.commit()
  } catch (error) {
    await transaction.rollBack()
    throw error
  }
}
