import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from '../../../src/base/time/duration.ts'
import { failureOf } from '../../support/failure.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['0s', 0],
  [' 5m ', 300_000],
])('parseDuration(%j) returns %i', (text, ms) => expect(parseDuration(text, '--timeout')).toBe(ms))

test.each([
  ['30', '--timeout: "30" has no unit'],
  ['', '--timeout: "" is not a duration'],
  ['-5s', '--timeout: "-5s" is not a duration'],
  ['1.5h', '--timeout: "1.5h" is not a duration'],
  ['1h30m', '--timeout: "1h30m" is not a duration'],
  ['5 s', '--timeout: "5 s" is not a duration'],
  ['5S', '--timeout: "5S" is not a duration'],
])('parseDuration explains why it refuses %j and how to write a duration', (text, message) => {
  const { code, message: said, hint } = failureOf(() => parseDuration(text, '--timeout'))
  expect([code, said]).toEqual(['USAGE', message])
  expect(hint).toContain('500ms, 30s, 2m, 1h or 7d')
})

test("parseDuration enforces a flag's inclusive limits", () => {
  const limits = { minMs: 1000, maxMs: 60_000 }
  expect([parseDuration('1s', '--every', limits), parseDuration('1m', '--every', limits)]).toEqual([1000, 60_000])
  expect(() => parseDuration('9999999999d', '--timeout')).toThrow('"9999999999d" is too long: the maximum is 3650d')
  expect(() => parseDuration('0s', '--every', limits)).toThrow('--every: "0s" is too short: the minimum is 1s')
  expect(() => parseDuration('61s', '--every', limits)).toThrow('--every: "61s" is too long: the maximum is 1m')
  for (const text of ['0s', '61s'])
    expect(() => parseDuration(text, '--every', limits)).toThrow(
      expect.objectContaining({ hint: 'use a duration between 1s and 1m' }),
    )
})

test.each([
  [0, '0ms'],
  [0.4, '0ms'],
  [999.6, '1s'],
  [500, '500ms'],
  [1000, '1s'],
  [1540, '1.5s'],
  [59_940, '59.9s'],
  [59_960, '1m'],
  [60_000, '1m'],
  [125_000, '2m 5s'],
  [3_599_700, '1h'],
  [5_400_000, '1h 30m'],
  [86_399_000, '1d'],
  [90_000_000, '1d 1h'],
  [604_800_000, '7d'],
  [-1500, '-1.5s'],
])('formatDuration formats %s ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
