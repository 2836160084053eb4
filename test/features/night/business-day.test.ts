import { expect, test } from 'vitest'
import { lastNight, nightOf } from '../../../src/features/night/business-day.ts'

const SYDNEY = 'Australia/Sydney'

test.each([
  // On these dates, Sydney is 11 hours ahead of UTC.
  ['2026-11-21T17:59:59.999Z', SYDNEY, '05:00', '2026-11-20'],
  ['2026-11-21T18:00:00.000Z', SYDNEY, '05:00', '2026-11-21'],
  ['2026-11-21T12:59:59.999Z', SYDNEY, '00:00', '2026-11-20'],
  ['2026-11-21T13:00:00.000Z', SYDNEY, '00:00', '2026-11-21'],
  ['2026-11-21T18:00:00.000Z', 'Europe/London', '05:00', '2026-11-20'],
  ['2026-11-21T18:00:00.000Z', null, '05:00', '2026-11-20'],
  ['2027-01-01T04:00:00.000Z', null, '05:00', '2026-12-30'],
])('lastNight at %s in %s, with days starting at %s, returns %s', (now, timezone, dayStarts, date) => {
  expect(lastNight(Date.parse(now), timezone, dayStarts)).toBe(date)
})

test.each([
  ['2026-10-03', '05:00', '2026-10-02T19:00:00.000Z', '2026-10-03T18:00:00.000Z'],
  ['2026-04-04', '05:00', '2026-04-03T18:00:00.000Z', '2026-04-04T19:00:00.000Z'],
  // The clocks change on both dates. The hour from 02:00 to 03:00 is skipped on the first date and repeated on the
  // second.
  ['2026-10-04', '02:30', '2026-10-03T16:00:00.000Z', '2026-10-04T15:30:00.000Z'],
  ['2026-04-05', '02:30', '2026-04-04T15:30:00.000Z', '2026-04-05T16:30:00.000Z'],
])(
  'the night of %s from %s is an hour shorter or longer if the clocks change',
  (date, dayStarts, startsUtc, endsUtc) => {
    expect(nightOf({ source: 'venue', timezone: SYDNEY }, date, dayStarts)).toMatchObject({ startsUtc, endsUtc })
  },
)

test('each night ends exactly when the next one starts, even at the end of a year', () => {
  const venue = { source: 'venue', timezone: SYDNEY }
  const last = nightOf(venue, '2026-12-31', '05:00')
  const next = nightOf(venue, '2027-01-01', '05:00')
  expect([last.ends, last.endsUtc]).toEqual([next.starts, next.startsUtc])
})
