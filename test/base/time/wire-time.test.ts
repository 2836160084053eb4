import { expect, test } from 'vitest'
import { hasOffset, parseWireTime } from '../../../src/base/time/wire-time.ts'

test.each([
  ['2026-11-20T18:00:00Z', true, '2026-11-20T18:00:00.000Z'],
  ['2026-11-20T18:00:00.5+11:00', true, '2026-11-20T07:00:00.500Z'],
  ['2026-11-20T18:00:00', false, '2026-11-20T18:00:00.000Z'],
  [' 2026-11-20 18:00 ', false, '2026-11-20T18:00:00.000Z'],
])('parseWireTime(%j) assumes UTC for a time without an offset', (text, isInstant, read) => {
  expect(hasOffset(text)).toBe(isInstant)
  expect(new Date(parseWireTime(text)).toISOString()).toBe(read)
})

test('parseWireTime returns NaN for text that is not a time', () => expect(parseWireTime('soon')).toBeNaN())
