import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import {
  endOfDay,
  formatInZone,
  isKnownZone,
  localToInstant,
  startOfDay,
  startOfHour,
} from '../../../src/base/time/zone.ts'
import { seededRandom } from '../json/seeded.ts'

const SYDNEY = 'Australia/Sydney'
const iso = (ms: number) => new Date(ms).toISOString()
const at = (text: string) => Date.parse(text)

test('isKnownZone accepts only IANA names and offsets', () => {
  for (const name of ['UTC', SYDNEY, 'Europe/London', 'Etc/UTC', '+10:00'])
    expect([name, isKnownZone(name)]).toEqual([name, true])
  for (const name of ['', 'Sydney', 'Mars/Olympus', 'Z', 'GMT+3'])
    expect([name, isKnownZone(name)]).toEqual([name, false])
})

test("formatInZone formats an instant as local time with the zone's name", () => {
  expect(formatInZone(at('2026-11-20T07:00:59.999Z'), SYDNEY)).toBe('2026-11-20 18:00 Australia/Sydney')
  expect(formatInZone(at('2026-11-20T18:00:00Z'), null)).toBe('2026-11-20 18:00 UTC')
  expect(formatInZone(at('2026-11-20T13:30:00Z'), SYDNEY)).toBe('2026-11-21 00:30 Australia/Sydney')
})

test('formatInZone and localToInstant reject an unknown zone', () => {
  expect(() => formatInZone(0, 'Mars/Olympus')).toThrow(Failure)
  expect(() => localToInstant('2026-11-20T18:00', 'Mars/Olympus')).toThrow('the time zone "Mars/Olympus" is unknown')
})

describe('converting local times to instants', () => {
  test.each([
    ['2026-11-20T18:00', null, '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00:30', SYDNEY, '2026-11-20T07:00:30.000Z'],
    ['2026-07-20T18:00:30.5', SYDNEY, '2026-07-20T08:00:30.500Z'],
    ['2026-11-20T18:00', 'Asia/Kathmandu', '2026-11-20T12:15:00.000Z'],
    ['2026-11-20T18:00', 'America/New_York', '2026-11-20T23:00:00.000Z'],
    ['2026-11-20T18:00', '-03:30', '2026-11-20T21:30:00.000Z'],
  ])('localToInstant converts %s in zone %s to %s', (local, zone, instant) =>
    expect(iso(localToInstant(local, zone))).toBe(instant),
  )

  test.each([
    ['Sydney, in the middle', '2026-10-04T02:30', SYDNEY, '2026-10-03T16:00:00.000Z'],
    ['Sydney, the first skipped instant', '2026-10-04T02:00', SYDNEY, '2026-10-03T16:00:00.000Z'],
    ['Sydney, the last skipped instant', '2026-10-04T02:59:59.999', SYDNEY, '2026-10-03T16:00:00.000Z'],
    ['Sydney, just before', '2026-10-04T01:59:59.999', SYDNEY, '2026-10-03T15:59:59.999Z'],
    ['Sydney, just after', '2026-10-04T03:00', SYDNEY, '2026-10-03T16:00:00.000Z'],
    ['New York', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['Lord Howe, which skips half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['Apia, which skipped a whole day', '2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('localToInstant maps a skipped time to the instant of the clock change: %s', (_what, local, zone, instant) => {
    expect(iso(localToInstant(local, zone))).toBe(instant)
  })

  test.each([
    ['Sydney', '2026-04-05T02:30', SYDNEY, '2026-04-04T15:30:00.000Z'],
    ['Sydney, the last instant before', '2026-04-05T01:59:59', SYDNEY, '2026-04-04T14:59:59.000Z'],
    ['Sydney, the first instant after', '2026-04-05T03:00', SYDNEY, '2026-04-04T17:00:00.000Z'],
    ['London', '2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00.000Z'],
    ['Lord Howe', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('localToInstant maps a repeated time to the earlier instant: %s', (_what, local, zone, instant) => {
    expect(iso(localToInstant(local, zone))).toBe(instant)
  })

  test('localToInstant rejects invalid dates and times', () => {
    for (const local of ['2026-02-30T00:00', '2026-11-20T24:00', '2026-11-20', '2026-11-20T1', '0000-01-01T00:00'])
      expect(() => localToInstant(local, null)).toThrow(RangeError)
  })

  test('localToInstant and formatInZone agree with Intl at random instants in many zones', () => {
    const random = seededRandom(99)
    const zones = [SYDNEY, 'America/St_Johns', 'Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Casablanca']
    for (let round = 0; round < 1200; round++) {
      const zone = zones[round % zones.length] ?? SYDNEY
      const instant = Math.floor(at('1980-01-01') + random() * (at('2035-01-01') - at('1980-01-01')))
      const shown = shownByIntl(instant, zone)
      const back = localToInstant(shown.replace(' ', 'T'), zone)
      expect([zone, shownByIntl(back, zone)]).toEqual([zone, shown])
      expect(back).toBeLessThanOrEqual(instant)
      expect(formatInZone(instant, zone)).toBe(`${shown.slice(0, 16)} ${zone}`)
    }
  })
})

describe('startOfDay and endOfDay', () => {
  test('a day starts at midnight in the zone and ends one millisecond before the next day', () => {
    expect(iso(startOfDay('2026-11-20', SYDNEY))).toBe('2026-11-19T13:00:00.000Z')
    expect(iso(endOfDay('2026-11-20', SYDNEY))).toBe('2026-11-20T12:59:59.999Z')
    expect(iso(startOfDay('2026-11-20', null))).toBe('2026-11-20T00:00:00.000Z')
    expect(iso(endOfDay('2026-12-31', null))).toBe('2026-12-31T23:59:59.999Z')
  })

  test('an instant belongs to the current day in the zone, not to the day in UTC', () => {
    const evening = at('2026-11-20T20:00:00Z')
    expect(iso(startOfDay(evening, SYDNEY))).toBe('2026-11-20T13:00:00.000Z')
    expect(iso(endOfDay(evening, SYDNEY))).toBe('2026-11-21T12:59:59.999Z')
    expect(iso(startOfDay(evening, null))).toBe('2026-11-20T00:00:00.000Z')
  })

  test('a day with a clock change has 23 or 25 hours', () => {
    const hours = (day: string) => (endOfDay(day, SYDNEY) + 1 - startOfDay(day, SYDNEY)) / 3_600_000
    expect([hours('2026-10-04'), hours('2026-04-05'), hours('2026-06-01')]).toEqual([23, 25, 24])
  })

  test('a day without a midnight starts at its first instant', () => {
    expect(iso(startOfDay('2026-04-24', 'Africa/Cairo'))).toBe('2026-04-23T22:00:00.000Z')
    expect(formatInZone(startOfDay('2026-04-24', 'Africa/Cairo'), 'Africa/Cairo')).toBe('2026-04-24 01:00 Africa/Cairo')
    expect(iso(endOfDay('2026-04-23', 'Africa/Cairo'))).toBe('2026-04-23T21:59:59.999Z')
  })
})

test('startOfHour returns the start of the clock hour in the zone', () => {
  const evening = at('2026-11-20T08:40:12.345Z')
  expect(iso(startOfHour(evening, null))).toBe('2026-11-20T08:00:00.000Z')
  expect(iso(startOfHour(evening, 'Australia/Adelaide'))).toBe('2026-11-20T08:30:00.000Z')
  expect(iso(startOfHour(at('1969-12-31T23:10:00Z'), null))).toBe('1969-12-31T23:00:00.000Z')
})

function shownByIntl(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant)
}
