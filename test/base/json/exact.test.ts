import { expect, test } from 'vitest'
import { parseExact } from '../../../src/base/json/exact.ts'
import { ValueScanner } from '../../../src/base/json/scan.ts'
import { randomNumber, seededRandom } from './seeded.ts'

/** Numbers whose text changes if they are parsed as a float and printed again. */
const INEXACT = [
  ['9007199254740993', '0.12345678901234567', '12345678901234567890', '-123456789012345678'],
  ['25.00', '1.0', '-0.10', '100.500', '0.0', '0.00000010'],
  ['1e2', '1E2', '1e+2', '1.5e-7', '-2E-10', '0e0', '1e999'],
  ['-0', '-0.0'],
  ['0.0000001', '-0.00000012', '0.000000000000001'],
].flat()
const EXACT = ['0', '7', '-12', '25.1', '-0.05', '123456789012345', '0.000001', '1234567890.12345', '1792618500000']

/** Places where a number may occur in JSON. `#` marks the number. */
const PLACES = ['#', ' # ', '[#]', '[1,#]', '[ #\n]', '{"a":#}', '{"a": #,"b":[]}', '[[],#,{}]', '{"a":\t#\r\n}']

test.each([...INEXACT, ...EXACT])('parseExact preserves the number %s at any position in the JSON', (number) => {
  for (const place of PLACES) {
    const text = place.replace('#', number)
    expect(JSON.stringify(parseExact(text)), text).toBe(text.replace(/\s/g, ''))
  }
})

test('parseExact preserves every form of number that JSON allows', () => {
  const random = seededRandom(20_261_122)
  for (let turn = 0; turn < 20_000; turn++) {
    const text = `{"amount":${randomNumber(random)},"others":[${randomNumber(random)},${randomNumber(random)}]}`
    expect(JSON.stringify(parseExact(text))).toBe(text)
  }
})

test('parseExact leaves strings that look like numbers unchanged', () => {
  const list = [',25.00,', ': -0,', '\\"1.0,']
  const text = JSON.stringify({ a: '25.00', b: ' 1e2 ', c: list, d: '2026-10-22T13:45:00.000' })
  expect(JSON.stringify(parseExact(text))).toBe(text)
})

test('ValueScanner flags every number that would change if it were parsed as a float', () => {
  const scanner = new ValueScanner(256)
  const isPlain = (text: string) => {
    const bytes = Buffer.from(text)
    expect(scanner.findEnd(bytes, 0)).toBe(bytes.length)
    return scanner.isPlain
  }
  for (const number of INEXACT) expect(isPlain(`{"a":[${number}]}`), number).toBe(false)
  for (const number of EXACT.filter(({ length }) => length <= 15))
    expect(isPlain(`{"a":[${number}]}`), number).toBe(true)
  expect(isPlain('{"at":"2026-10-22T13:45:00.000Z","ref":"9007199254740993","sum":"25.00"}')).toBe(true)
  const random = seededRandom(7)
  for (let turn = 0; turn < 20_000; turn++) {
    const number = randomNumber(random)
    if (isPlain(`[${number}]`)) expect(String(JSON.parse(number))).toBe(number)
  }
})
