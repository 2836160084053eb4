import { expect, test } from 'vitest'
import { centsOf, valueFor } from '../../../src/sync/tables/values.ts'

test.each([
  [25, 2500],
  [0.1, 10],
  [0.29, 29],
  [1.005e2, 10_050],
  [-12.34, -1234],
  [-0, 0],
  [8_000_000_000.01, 800_000_000_001],
  [999_999_999_999.99, 99_999_999_999_999],
  [75.05000000000001, 7505],
  ['75.04999999999999', 7505],
  ['169.50', 16_950],
])('centsOf converts %s to %s cents', (units, cents) => {
  expect(Object.is(centsOf(units), cents)).toBe(true)
})

test.each([10.005, 0.001, 1.2345, 1e300, 2e12, '1,50', '', '1e2', true, {}])('centsOf returns null for %s', (units) => {
  expect(centsOf(units)).toBeNull()
})

test('centsOf converts every amount with two decimal places exactly', () => {
  const wrong: string[] = []
  for (let cents = 0; cents < 200_000; cents++) {
    const text = (cents / 100).toFixed(2)
    if (centsOf(JSON.parse(text)) !== cents || centsOf(JSON.parse(`-${text}`)) !== -cents + 0) wrong.push(text)
  }
  for (let digits = 1; digits <= 12; digits++)
    for (const text of [`${'9'.repeat(digits)}.99`, `1${'0'.repeat(digits - 1)}.01`, `${'7'.repeat(digits)}.10`])
      if (centsOf(JSON.parse(text)) !== Number(text.replace('.', ''))) wrong.push(text)
  expect(wrong).toEqual([])
})

test.each([
  ['2026-11-22T04:01:50.810Z', '2026-11-22T04:01:50.810Z'],
  ['2026-11-22T04:01:50Z', '2026-11-22T04:01:50.000Z'],
  ['2026-11-22T04:01:50.8101234Z', '2026-11-22T04:01:50.810Z'],
  ['2026-11-22T15:01:50.810+11:00', '2026-11-22T04:01:50.810Z'],
  ['2026-11-22T04:01:50.81', '2026-11-22T04:01:50.810Z'],
  ['2028-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('the instant %s is stored as %s', (sent, stored) => {
  expect(valueFor('instant', sent)).toBe(stored)
})

test('valueFor accepts every day of two years and rejects days that do not exist', () => {
  const wrong: string[] = []
  for (const year of [2027, 2028])
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 31; day++) {
        const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const isThere = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(date)
        const [instant, wall] = [`${date}T12:34:56.789Z`, `${date}T12:34:56`]
        if (valueFor('instant', instant) !== (isThere ? instant : null)) wrong.push(instant)
        if (valueFor('wall', wall) !== (isThere ? wall : null)) wrong.push(wall)
      }
  expect(wrong).toEqual([])
})

test.each(['2026-02-29T00:00:00.000Z', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00.000Z', 'soon', '', 1_700_000_000])(
  'valueFor rejects %s as an instant',
  (sent) => {
    expect(valueFor('instant', sent)).toBeNull()
  },
)

test.each([
  ['2026-11-22T18:30:00', '2026-11-22T18:30:00'],
  ['2026-11-22T18:30', '2026-11-22T18:30:00'],
  ['2026-11-22 18:30:00.123', '2026-11-22T18:30:00'],
  ['2026-11-22T18:30:00Z', null],
  ['2026-11-22T24:00:00', null],
  ['2026-02-30T18:30:00', null],
  ['tonight', null],
])('the wall time %s is stored as %s', (sent, stored) => {
  expect(valueFor('wall', sent)).toBe(stored)
})

test.each([
  ['integer', 4, 4],
  ['integer', 4.5, null],
  ['integer', 2_147_483_648, null],
  ['integer', '4', null],
  ['boolean', false, false],
  ['boolean', 'yes', null],
  ['text', 'a\0b', 'a\uFFFDb'],
  ['text', 'a\uD800b', 'a\uFFFDb'],
  ['text', 1001, '1001'],
  ['text', 2 ** 53, null],
  ['text', { nested: true }, null],
  ['text', undefined, null],
] as const)('a column of type %s stores %o as %o', (type, sent, stored) => {
  expect(valueFor(type, sent)).toBe(stored)
})
