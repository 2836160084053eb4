import { expect, test } from 'vitest'
import { formatClockTime, formatLocalTime, readDate, readInstant, readLocal } from '../../../src/sandbox/venue/time.ts'
import { getZone, SYDNEY } from '../../../src/sandbox/venue/zone.ts'

const FORMAT = new Intl.DateTimeFormat('sv-SE', { timeZone: SYDNEY.name, dateStyle: 'short', timeStyle: 'medium' })

test("Sydney's local time matches the time zone database every three hours for twelve years", () => {
  const wrong: string[] = []
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2036, 0, 1); at += 3 * 3_600_000) {
    const local = SYDNEY.toLocal(at)
    if (formatLocalTime(local).replace('T', ' ') !== FORMAT.format(at)) wrong.push(new Date(at).toISOString())
    const back = SYDNEY.toInstant(local)
    // If a local time occurs twice, toInstant returns the first of the two instants.
    if (back !== at && back !== at - 3_600_000) wrong.push(`${new Date(at).toISOString()} and back`)
  }
  expect(wrong).toEqual([])
})

test("Sydney's local time is correct to the second around both clock changes", () => {
  for (const change of [Date.UTC(2026, 9, 3, 16), Date.UTC(2027, 3, 3, 16)])
    for (const at of [change - 1000, change, change + 1000])
      expect(formatLocalTime(SYDNEY.toLocal(at)).replace('T', ' ')).toBe(FORMAT.format(at))
})

test.each(['America/New_York', 'Europe/Lisbon', 'Pacific/Chatham', 'Asia/Tokyo'])(
  'local time in %s matches the time zone database',
  (name) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
    const zone = getZone(name)
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * 3_600_000) {
      const local = zone.toLocal(at)
      expect(formatLocalTime(local).replace('T', ' ')).toBe(format.format(at))
      expect([at, at - 3_600_000]).toContain(zone.toInstant(local))
    }
  },
)

test('toInstant shifts a skipped local time forward by the length of the gap', () => {
  expect(SYDNEY.toInstant(Date.UTC(2026, 9, 4, 2, 30))).toBe(Date.UTC(2026, 9, 3, 16, 30))
  expect(getZone('America/New_York').toInstant(Date.UTC(2026, 2, 8, 2, 30))).toBe(Date.UTC(2026, 2, 8, 7, 30))
})

test('readInstant, readLocal and readDate accept only the documented formats and existing dates and times', () => {
  expect(readInstant('2026-11-20T07:00:00Z')).toBe(Date.UTC(2026, 10, 20, 7))
  expect(readInstant('2026-11-20T07:00:00.250Z')).toBe(Date.UTC(2026, 10, 20, 7) + 250)
  for (const text of ['2026-02-30T07:00:00Z', '2026-11-20T24:00:00Z', '2026-11-20T07:00:00', '2026-11-20', ''])
    expect(readInstant(text)).toBeNull()
  expect(readLocal('2026-11-20 18:05')).toBe(Date.UTC(2026, 10, 20, 18, 5))
  expect(readLocal('2026-11-20T18:05')).toBeNull()
  expect(readLocal('0000-01-01 00:00')).toBeNull()
  expect(formatLocalTime(readLocal('0001-01-01 00:00') ?? 0)).toBe('0001-01-01T00:00:00')
  expect(readDate('2028-02-29')).toBe(Date.UTC(2028, 1, 29))
  expect(readDate('2027-02-29')).toBeNull()
})

test('formatClockTime uses the 12-hour clock', () => {
  const at = (hour: number, minute: number) => formatClockTime(Date.UTC(2026, 0, 1, hour, minute))
  expect([at(0, 0), at(9, 5), at(12, 0), at(18, 30)]).toEqual(['12:00 AM', '9:05 AM', '12:00 PM', '6:30 PM'])
})
