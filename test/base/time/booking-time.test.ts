import { describe, expect, test } from 'vitest'
import { readBookingTime, readUtcTime } from '../../../src/base/time/booking-time.ts'
import { failureOf } from '../../support/failure.ts'

const NOW = Date.parse('2026-11-20T07:30:15.250Z')
const SYDNEY = 'Australia/Sydney'

function read(typed: string, timezone: string | null = SYDNEY) {
  return readBookingTime(typed, { now: NOW, timezone, flag: '--time' })
}

describe("booking times in the venue's time zone", () => {
  test.each([
    ['2026-11-20 19:30', '2026-11-20 19:30'],
    ['2026-11-20T19:30', '2026-11-20 19:30'],
    ['2026-11-20 19:30:00', '2026-11-20 19:30'],
    ['19:30', '2026-11-20 19:30'],
    ['9:30', '2026-11-20 09:30'],
    ['tomorrow 19:30', '2026-11-21 19:30'],
    ['2026-11-20T08:30:00Z', '2026-11-20 19:30'],
    ['2026-11-20T19:30:00+11:00', '2026-11-20 19:30'],
    ['now', '2026-11-20 18:30'],
    ['+2h', '2026-11-20 20:30'],
    ['-90m', '2026-11-20 17:00'],
  ])('the booking time %s is sent as %s', (typed, text) =>
    expect(read(typed)).toEqual({ member: 'time', text, note: null }),
  )

  test('a booking time is sent in UTC if no zone is set or local time cannot express it exactly', () => {
    const utc = (text: string) => ({ member: 'bookingTimeAsUtc', text })
    expect(read('2026-11-20T19:30:00+11:00', null)).toMatchObject(utc('2026-11-20T08:30:00Z'))
    for (const text of ['2026-11-20T08:30:15Z', '2026-04-04T16:30:00Z']) expect(read(text)).toMatchObject(utc(text))
  })

  test('an ambiguous booking time is sent in UTC as the earlier instant, and the note names the later one', () => {
    const { member, text, note } = read('2026-04-05 02:30')
    expect([member, text]).toEqual(['bookingTimeAsUtc', '2026-04-04T15:30:00Z'])
    expect(note).toMatch(/twice; the first one is used.*--time-utc 2026-04-04T16:30:00Z/)
  })

  test('if no zone is set, the note on a booking time says that the day was interpreted in UTC', () => {
    expect(read('19:30', null)).toMatchObject({ text: '2026-11-20 19:30', note: expect.stringContaining('UTC') })
    expect(read('2026-11-20 19:30', null).note).toBeNull()
  })

  test.each([
    ['2026-10-04 02:30', /clocks in Australia\/Sydney skip/],
    ['2026-11-20', /a day without a time/],
    ['tomorrow', /a day without a time/],
    ['2026-11-20 19:30:30', /has seconds/],
    ['24h', /in the past or the future/],
    ['2026-02-30 19:30', /has a date that does not exist/],
    ['2026-13-01', /is not a day in the calendar/],
    ['25:00', /has a time that does not exist/],
    ['half seven', /is not a time/],
    ['', /is empty/],
  ])('readBookingTime refuses %j', (typed, message) => expect(failureOf(() => read(typed)).message).toMatch(message))

  test.each(['soon', '', '2026-13-01', '2026-13-01 19:30', '25:00'])(
    'readBookingTime refuses %j, and the hint contains only valid examples',
    (typed) => {
      const [, ...forms] = (failureOf(() => read(typed)).hint ?? '').split(/, | or |write it like /)
      expect(forms.length).toBeGreaterThan(3)
      for (const form of forms) expect(() => read(form.replaceAll('"', ''))).not.toThrow()
    },
  )
})

test.each([
  ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00Z'],
  ['2026-11-20 08:30', '2026-11-20T08:30:00Z'],
  ['2026-11-20T19:30:00+11:00', '2026-11-20T08:30:00Z'],
  ['08:30', '2026-11-20T08:30:00Z'],
  ['tomorrow 08:30', '2026-11-21T08:30:00Z'],
  ['+1h', '2026-11-20T08:30:00Z'],
])('the booking time %s in UTC is sent as %s', (typed, text) => {
  expect(readUtcTime(typed, { now: NOW, flag: '--time-utc' })).toEqual({ member: 'bookingTimeAsUtc', text, note: null })
})

test('readUtcTime refuses a day without a time', () =>
  expect(() => readUtcTime('today', { now: NOW, flag: '--time-utc' })).toThrow(/^--time-utc: .* without a time/))

test('a weekday with a time means the next date on that weekday, including today', () => {
  expect(read('thursday 18:00').text).toBe('2026-11-26 18:00')
  expect(read('friday 18:00').text).toBe('2026-11-20 18:00')
})
