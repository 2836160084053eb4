import { expect, test } from 'vitest'
import { isLocalTime } from '../../../src/base/time/calendar.ts'

test.each(['2026-11-20 18:00', '2024-02-29 00:00', '2026-12-31 23:59'])('isLocalTime(%j) is true', (text) => {
  expect(isLocalTime(text)).toBe(true)
})

test.each([
  '2026-11-20T18:00',
  '2026-11-20 18:00:00',
  '2026-11-20 24:00',
  '2026-11-20 18:60',
  '2026-02-30 18:00',
  '2025-02-29 18:00',
  '2026-13-01 18:00',
  '2026-1-1 18:00',
  '0000-01-01 00:00',
  '2026-11-20 18:00Z',
  ' 2026-11-20 18:00',
  '2026-11-20 18:00\n',
  '',
])('isLocalTime(%j) is false', (text) => expect(isLocalTime(text)).toBe(false))
