import { describe, expect, test } from 'vitest'
import { noteOnClockChange, parseInstant, toWireTime } from '../../../src/base/time/instant.ts'
import { failureOf } from '../../support/failure.ts'

const NOW = Date.parse('2026-11-20T07:30:15.250Z')
const SYDNEY = 'Australia/Sydney'

function parsed(text: string, edge: 'lower' | 'upper' = 'lower', timezone: string | null = null): string {
  return toWireTime(parseInstant(text, { now: NOW, timezone, edge, flag: '--updated-from' }))
}

const refused = (...typed: Parameters<typeof parsed>) => failureOf(() => parsed(...typed))

describe('times with an offset', () => {
  test.each([
    ['2026-11-20T18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20t18:00:00z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20 18:00:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00:00+11:00', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T18:00:00+1100', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T18:00:00-03:30', '2026-11-20T21:30:00.000Z'],
    ['2026-11-20T00:30:00+14:00', '2026-11-19T10:30:00.000Z'],
    ['2026-11-20T18:00:00-00:00', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00:00.5Z', '2026-11-20T18:00:00.500Z'],
    ['2026-11-20T18:00:00.123999999Z', '2026-11-20T18:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('%s is the same instant in every zone', (text, instant) => {
    for (const zone of [null, SYDNEY])
      for (const edge of ['lower', 'upper'] as const) expect(parsed(text, edge, zone)).toBe(instant)
  })
})

describe('times without an offset', () => {
  test.each([
    ['2026-11-20 18:00', '2026-11-20T07:00:00.000Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T18:00', '2026-11-20T07:00:00.000Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-20 18:00:30', '2026-11-20T07:00:30.000Z', '2026-11-20T18:00:30.000Z'],
    ['2026-11-20T18:00:30.250', '2026-11-20T07:00:30.250Z', '2026-11-20T18:00:30.250Z'],
    ['2026-10-04 02:30', '2026-10-03T16:00:00.000Z', '2026-10-04T02:30:00.000Z'],
    ['18:00', '2026-11-20T07:00:00.000Z', '2026-11-20T18:00:00.000Z'],
    ['9:05', '2026-11-19T22:05:00.000Z', '2026-11-20T09:05:00.000Z'],
    ['today 18:00', '2026-11-20T07:00:00.000Z', '2026-11-20T18:00:00.000Z'],
    ['Tomorrow  18:00:30', '2026-11-21T07:00:30.000Z', '2026-11-21T18:00:30.000Z'],
    ['yesterday 00:00', '2026-11-18T13:00:00.000Z', '2026-11-19T00:00:00.000Z'],
  ])('%s is interpreted in the configured zone, or in UTC if no zone is configured', (text, inSydney, inUtc) => {
    expect([parsed(text, 'lower', SYDNEY), parsed(text)]).toEqual([inSydney, inUtc])
  })
})

describe('whole days', () => {
  test.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['today', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['Yesterday', '2026-11-19T00:00:00.000Z', '2026-11-19T23:59:59.999Z'],
    ['tomorrow', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    [' 2026-11-20 ', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z', '0001-01-01T23:59:59.999Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('%j means its first instant as a lower bound and its last millisecond as an upper bound', (text, lower, upper) => {
    expect([parsed(text, 'lower'), parsed(text, 'upper')]).toEqual([lower, upper])
  })

  test('a day begins and ends at midnight in the zone', () => {
    expect(parsed('2026-11-20', 'lower', SYDNEY)).toBe('2026-11-19T13:00:00.000Z')
    expect(parsed('2026-11-20', 'upper', SYDNEY)).toBe('2026-11-20T12:59:59.999Z')
  })

  test('today is the current day in the zone', () => {
    const reading = { now: Date.parse('2026-11-20T20:00:00Z'), edge: 'lower', flag: '--from' } as const
    expect(toWireTime(parseInstant('today', { ...reading, timezone: SYDNEY }))).toBe('2026-11-20T13:00:00.000Z')
    expect(toWireTime(parseInstant('today', { ...reading, timezone: null }))).toBe('2026-11-20T00:00:00.000Z')
  })

  test('yesterday is the previous day, even if it had 25 hours', () => {
    const now = Date.parse('2026-04-05T14:30:00Z')
    const reading = { now, timezone: SYDNEY, edge: 'lower', flag: '--from' } as const
    expect(toWireTime(parseInstant('today', reading))).toBe('2026-04-05T14:00:00.000Z')
    expect(toWireTime(parseInstant('yesterday', reading))).toBe('2026-04-04T13:00:00.000Z')
  })
})

describe('times relative to now', () => {
  test.each([
    ['now', '2026-11-20T07:30:15.250Z'],
    ['-90m', '2026-11-20T06:00:15.250Z'],
    ['-24h', '2026-11-19T07:30:15.250Z'],
    ['-7d', '2026-11-13T07:30:15.250Z'],
    ['+2h', '2026-11-20T09:30:15.250Z'],
    ['-0s', '2026-11-20T07:30:15.250Z'],
    ['-250ms', '2026-11-20T07:30:15.000Z'],
  ])('%s is relative to now in every zone', (text, instant) => {
    expect([parsed(text, 'lower', SYDNEY), parsed(text, 'upper')]).toEqual([instant, instant])
  })

  test('an unsigned duration means "ago" in a lower bound, but is refused as ambiguous in an upper bound', () => {
    expect(parsed('24h')).toBe('2026-11-19T07:30:15.250Z')
    const failure = refused('24h', 'upper')
    expect(failure.message).toBe('--updated-from: "24h" could be in the past or the future')
    expect(failure.hint).toBe('write -24h for a time in the past, or +24h for a time in the future')
  })
})

describe('invalid times', () => {
  test.each([
    ['', '"" is empty'],
    ['  ', '"  " is empty'],
    ['2026-02-30', '"2026-02-30" is not a day in the calendar'],
    ['2025-02-29', '"2025-02-29" is not a day in the calendar'],
    ['2026-13-01', '"2026-13-01" is not a day in the calendar'],
    ['0000-01-01', '"0000-01-01" is not a day in the calendar'],
    ['2026-02-30T10:00:00Z', '"2026-02-30T10:00:00Z" has a date that does not exist'],
    ['2026-11-20 25:00', '"2026-11-20 25:00" has a time that does not exist'],
    ['2026-11-20 24:00', '"2026-11-20 24:00" has a time that does not exist'],
    ['2026-11-20 10:60', '"2026-11-20 10:60" has a time that does not exist'],
    ['2026-11-20T10:00:61Z', '"2026-11-20T10:00:61Z" has a time that does not exist'],
    ['2026-11-20T10:00:00+24:00', '"2026-11-20T10:00:00+24:00" has an invalid UTC offset'],
    ['2026-11-20T10:00:00+10:60', '"2026-11-20T10:00:00+10:60" has an invalid UTC offset'],
    ['99999-01-01', '"99999-01-01" is not a time'],
    ['9999999999d', '"9999999999d" is outside the years 1 to 9999'],
    ['+9999999999d', '"+9999999999d" is outside the years 1 to 9999'],
    [`-${'9'.repeat(400)}d`, 'is outside the years 1 to 9999'],
    ['9999-12-31T23:59:59-01:00', '"9999-12-31T23:59:59-01:00" is outside the years 1 to 9999'],
    ['20/11/2026', '"20/11/2026" is not a time'],
    ['2026-1-5', '"2026-1-5" is not a time'],
    ['1790000000', '"1790000000" is not a time'],
    ['-1.5h', '"-1.5h" is not a time'],
    ['--24h', '"--24h" is not a time'],
    ['-24', '"-24" is not a time'],
    ['last week', '"last week" is not a time'],
    ['2026-11-20\u0000', 'is not a time'],
  ])('parseInstant refuses %j with a message that names the flag, the text and some valid forms', (text, message) => {
    const failure = refused(text)
    expect([failure.code, failure.exitCode]).toEqual(['USAGE', 2])
    expect(failure.message).toContain(message)
    expect(failure.message.startsWith('--updated-from: ')).toBe(true)
    expect(failure.hint).toContain('2026-11-20')
  })

  test('parseInstant shortens long text and escapes line breaks in its message', () =>
    expect(refused(`x\n${'y'.repeat(1000)}`).message).toBe(`--updated-from: "x\\n${'y'.repeat(38)}" is not a time`))
})

describe('notes about clock changes', () => {
  const note = (text: string, timezone: string | null = SYDNEY) =>
    noteOnClockChange(text, { now: NOW, timezone, flag: '--from' })

  test('noteOnClockChange says which time is used instead of a skipped local time', () =>
    expect(note('2026-10-04 02:30')).toBe(
      '--from: clocks in Australia/Sydney skip 2026-10-04 02:30; 2026-10-04 03:00 is used',
    ))

  test('noteOnClockChange says that the first instant is used if a local time occurs twice', () =>
    expect(note('2026-04-05 02:30')).toBe(
      '--from: clocks in Australia/Sydney show 2026-04-05 02:30 twice; the first one is used, 2026-04-04T15:30:00Z',
    ))

  test('noteOnClockChange returns null if no clock change affects the time', () => {
    for (const text of ['2026-10-04 03:00', '2026-10-04', '2026-10-04T02:30:00Z', 'now', '-24h', 'soon'])
      expect([text, note(text)]).toEqual([text, null])
    expect(note('2026-10-04 02:30', null)).toBeNull()
  })
})

describe('weekdays', () => {
  const reading = { now: NOW, timezone: SYDNEY, edge: 'lower', flag: '--date', weekdays: 'coming' } as const
  test.each([
    ['friday', '2026-11-19T13:00:00.000Z'],
    ['Saturday', '2026-11-20T13:00:00.000Z'],
    ['thursday', '2026-11-25T13:00:00.000Z'],
    ['thursday 18:00', '2026-11-26T07:00:00.000Z'],
  ])('%s means today or the next date that falls on that weekday', (text, instant) => {
    expect(toWireTime(parseInstant(text, reading))).toBe(instant)
  })

  test('a weekday is interpreted in the zone, even if UTC is on a different day', () => {
    const now = Date.parse('2026-11-20T14:00:00Z')
    expect(toWireTime(parseInstant('saturday', { ...reading, now }))).toBe('2026-11-20T13:00:00.000Z')
  })

  test.each(['thursday', 'thursday 18:00'])('parseInstant refuses %s as ambiguous and names both dates', (text) => {
    expect(refused(text, 'lower', SYDNEY).message).toBe('--updated-from: "thursday" can mean 2026-11-19 or 2026-11-26')
  })
})

test.each([
  ['tomorow', '"tomorrow"'],
  ['tomorow 18:00', '"tomorrow 18:00"'],
  ['Firday', '"friday"'],
])('parseInstant suggests a day for the mistyped %j', (text, meant) => {
  expect(refused(text).message).toBe(`--updated-from: ${JSON.stringify(text)} is not a time; did you mean ${meant}?`)
})
