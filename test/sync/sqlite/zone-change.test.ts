import { expect, test } from 'vitest'
import { SqliteTarget } from '../../../src/sync/sqlite/sqlite-target.ts'
import { booking, freshDatabase, HOLD, NOTE, query, recordsOf } from './copies.ts'

test('local times become instants once the zone of the venue is known, and again when it is corrected', async () => {
  const path = freshDatabase()
  const list = recordsOf('bookings', [booking('A', 1, { bookingTime: '2026-11-22T18:30:00' }), booking('B', 1)])
  const instants: unknown[] = []
  for (const timezone of [null, 'Australia/Perth', 'Australia/Sydney', null]) {
    const target = new SqliteTarget(path, { resource: 'bookings', source: 'venue', env: {}, timezone })
    const copy = await target.hold(HOLD)
    await copy.add(list)
    await copy.commit(1000, NOTE)
    await copy.close()
    expect(await target.state()).toMatchObject({ cursorMs: 1000, rows: 2 })
    instants.push(query(path, "SELECT booking_time_utc FROM bookings WHERE id = 'A'")[0]?.['booking_time_utc'])
  }
  expect(instants).toEqual([null, '2026-11-22T10:30:00.000Z', '2026-11-22T07:30:00.000Z', '2026-11-22T07:30:00.000Z'])
})
