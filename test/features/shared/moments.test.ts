import { describe, expect, test } from 'vitest'
import {
  distance,
  instantCell,
  instantMs,
  instantText,
  venueTime,
  venueTimeInFull,
} from '../../../src/features/shared/views/moments.ts'
import { sydney, unknownZone } from '../shown.ts'

describe('display of times', () => {
  test('a venue-local time is shown unchanged', () => {
    expect(venueTime('2026-11-20T18:00:00', sydney)).toBe('2026-11-20 18:00')
    expect(venueTime('2026-11-20 18:00', sydney)).toBe('2026-11-20 18:00')
    expect(venueTime('2026-11-20T18:00:07.5', sydney)).toBe('2026-11-20 18:00:07')
    expect(venueTime('2026-11-20', sydney)).toBe('2026-11-20')
  })

  test("an instant is shown in the venue's time zone, both in summer and in winter", () => {
    expect(instantText('2026-11-20T07:00:00Z', sydney)).toBe('2026-11-20 18:00 Australia/Sydney')
    expect(instantText('2026-06-20T07:00:00Z', sydney)).toBe('2026-06-20 17:00 Australia/Sydney')
    expect(instantText('2026-11-20T07:00:00+11:00', unknownZone)).toBe('2026-11-19 20:00 UTC')
    expect(instantCell('2026-11-20T07:00:00Z', sydney)).toBe('2026-11-20 18:00')
  })

  test('a timestamp without a zone is read as UTC, however many decimal places it has', () => {
    const expected = Date.parse('2026-11-20T07:00:00.123Z')
    expect(instantMs('2026-11-20T07:00:00.1234567')).toBe(expected)
    expect(instantMs('2026-11-20T07:00:00.1234567Z')).toBe(expected)
    expect(instantMs('2026-11-20 07:00:00.123+0000')).toBe(expected)
    expect(instantMs('2026-11-20')).toBe(Date.parse('2026-11-20T00:00:00Z'))
  })

  test('text that is not a time is shown unchanged', () => {
    for (const odd of ['soon', '2026-13-40T00:00:00Z', '20/11/2026', '']) {
      expect(instantText(odd, sydney)).toBe(odd)
      expect(distance(odd, sydney)).toBe('')
    }
    expect(venueTime('tomorrow', sydney)).toBe('tomorrow')
    expect(venueTimeInFull('tomorrow', sydney)).toBe('tomorrow')
    expect(instantText(1500, sydney)).toBe('1500')
  })

  test('a time is described in minutes, hours or days, depending on how far away it is', () => {
    expect(distance('2026-11-20T06:30:30Z', sydney)).toBe('just now')
    expect(distance('2026-11-20T06:29:00Z', sydney)).toBe('1 minute ago')
    expect(distance('2026-11-20T08:30:00Z', sydney)).toBe('in 2 hours')
    expect(distance('2026-11-23T06:30:00Z', sydney)).toBe('in 3 days')
  })
})
