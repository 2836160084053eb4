import { describe, expect, test } from 'vitest'
import { readBookingTime, readUtcTime } from '../../../src/base/time/booking-time.ts'
import { failureOf } from '../../support/failure.ts'

const NOW = Date.parse('2026-11-20T07:30:15.250Z')
const SYDNEY = 'Australia/Sydney'

function read(typed: string, timezone: string | null = SYDNEY) {
  return readBookingTime(typed, { now: NOW, timezone, flag: '--time' })
}

describe('on the clock of the venue', () => {
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
  ])('%s is sent as %s', (typed, text) => expect(read(typed)).toEqual({ member: 'time', text, note: null }))

  test('an instant is sent in UTC where no zone is set, or where the clock does not tell it exactly', () => {
    const utc = (text: string) => ({ member: 'bookingTimeAsUtc', text })
    expect(read('2026-11-20T19:30:00+11:00', null)).toMatchObject(utc('2026-11-20T08:30:00Z'))
    for (const text of ['2026-11-20T08:30:15Z', '2026-04-04T16:30:00Z']) expect(read(text)).toMatchObject(utc(text))
  })

  test('a time that comes twice is the first one, in UTC, and the other is offered', () => {
    const { member, text, note } = read('2026-04-05 02:30')
    expect([member, text]).toEqual(['bookingTimeAsUtc', '2026-04-04T15:30:00Z'])
    expect(note).toMatch(/twice; the first time is meant.*--time-utc 2026-04-04T16:30:00Z/)
  })

  test('says which day is meant when no zone is set', () => {
    expect(read('19:30', null)).toMatchObject({ text: '2026-11-20 19:30', note: expect.stringContaining('UTC') })
    expect(read('2026-11-20 19:30', null).note).toBeNull()
  })

  test.each([
    ['2026-10-04 02:30', /clocks in Australia\/Sydney skip/],
    ['2026-11-20', /a day without a time/],
    ['tomorrow', /a day without a time/],
    ['2026-11-20 19:30:30', /has seconds/],
    ['24h', /before or after now/],
    ['2026-02-30 19:30', /has a day that no calendar has/],
    ['2026-13-01', /is not a day of the calendar/],
    ['25:00', /has a time that no clock has/],
    ['half seven', /is not a time/],
    ['', /is empty/],
  ])('%j is refused', (typed, message) => expect(failureOf(() => read(typed)).message).toMatch(message))

  test.each(['soon', '', '2026-13-01', '2026-13-01 19:30', '25:00'])(
    '%j is refused with forms that would be taken',
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
])('in UTC, %s is sent as %s', (typed, text) => {
  expect(readUtcTime(typed, { now: NOW, flag: '--time-utc' })).toEqual({ member: 'bookingTimeAsUtc', text, note: null })
})

test('in UTC, a day without a time is refused too', () =>
  expect(() => readUtcTime('today', { now: NOW, flag: '--time-utc' })).toThrow(/^--time-utc: .* without a time/))

test('a weekday with a time is today or the coming one', () => {
  expect(read('thursday 18:00').text).toBe('2026-11-26 18:00')
  expect(read('friday 18:00').text).toBe('2026-11-20 18:00')
})
