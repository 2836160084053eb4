import { expect, test } from 'vitest'
import { localToInstant } from '../../../src/base/time/zone.ts'
import { VenueClock } from '../../../src/sync/tables/venue-clock.ts'

test.each([
  ['2026-11-22T18:30:00', '2026-11-22T07:30:00.000Z'],
  ['2026-07-01T00:00:00', '2026-06-30T14:00:00.000Z'],
  // Because of clock changes in Sydney, 2:30 does not exist on 4 October and occurs twice on 5 April.
  ['2026-10-04T01:59:59', '2026-10-03T15:59:59.000Z'],
  ['2026-10-04T02:30:00', '2026-10-03T16:00:00.000Z'],
  ['2026-10-04T03:00:00', '2026-10-03T16:00:00.000Z'],
  ['2026-04-05T02:30:00', '2026-04-04T15:30:00.000Z'],
  ['2026-04-05T03:00:00', '2026-04-04T17:00:00.000Z'],
])('clocks in Sydney show %s at %s', (wall, instant) => {
  expect(new VenueClock('Australia/Sydney').instantOf(wall)).toBe(instant)
})

test('VenueClock returns null for a local time if the time zone is unknown', () => {
  expect(new VenueClock(null).instantOf('2026-11-22T18:30:00')).toBeNull()
})

test.each(['Australia/Sydney', 'Australia/Lord_Howe', 'America/New_York', 'Asia/Kolkata', '+05:45', 'UTC'])(
  'VenueClock agrees with localToInstant in %s throughout a year, despite its cache',
  (zone) => {
    const clock = new VenueClock(zone)
    const wrong: string[] = []
    for (let ms = Date.UTC(2026, 0); ms < Date.UTC(2027, 0); ms += 6 * 1_800_000 + 1_800_000) {
      const wall = new Date(ms).toISOString().slice(0, 19)
      if (clock.instantOf(wall) !== new Date(localToInstant(wall, zone)).toISOString()) wrong.push(wall)
    }
    expect(wrong).toEqual([])
  },
)
