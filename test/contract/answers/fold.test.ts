import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/base/json/exact.ts'
import { formOf, kindOf } from '../../../src/contract/answers/classify.ts'
import { foldAnswer } from '../../../src/contract/answers/fold.ts'
import { BodyStart, MOST_BYTES, parseSample } from '../../../src/contract/answers/sample.ts'
import { addShapes, type Shapes } from '../../../src/contract/answers/shape.ts'
import { type ExpectedAnswer, getExpectedAnswers } from '../../../src/contract/shapes/expected.ts'

async function expectedFor(id: string): Promise<ExpectedAnswer> {
  const found = (await getExpectedAnswers()).find((answer) => answer.id === id)
  if (!found) throw new Error(`there is no endpoint ${id}`)
  return found
}

async function folded(id: string, ...values: readonly JsonValue[]): Promise<Shapes> {
  const shapes: Shapes = {}
  for (const value of values) foldAnswer(shapes, await expectedFor(id), { value, isCut: false })
  return shapes
}

test.each([
  ['2026-11-20T10:00:00.123Z', 'utc'],
  ['2026-11-20T10:00:00+00:00', 'utc'],
  ['2026-11-20T10:00:00+11:00', 'offset'],
  ['2026-11-20T10:00:00', 'no-zone'],
  ['2026-11-20 10:00', 'spaced'],
  ['2026-11-20', 'date'],
  ['/Date(1763620000123)/', 'json-date'],
  ['1763620000123', 'epoch-ms'],
  ['1763620000', 'epoch-s'],
  ['GIFT2-00005025-AAAA', 'card-upper'],
  ['gift2-00005025-aaaa', 'card-lower'],
  ['Gift2-00005025-AAAA', 'card-mixed'],
  ['12345-00005025-1234', 'card-digits'],
  ['AUD', 'three-capitals'],
  ['5f1d7a3e9b2c4d0012ab34cd', 'hex'],
  [' ', 'empty'],
  ['Ada Ng', 'other'],
  ['2026-11-20T10:00:00Z'.repeat(9), 'other'],
])('formOf(%j) is %s', (text, form) => expect(formOf(text)).toBe(form))

test('formOf classifies a number only if it could be a time', () => {
  const values = JSON.parse('[1, -3, 2.5, 1763620000, 1763620000123, true, null, {}, []]') as JsonValue[]
  const kinds = ['integer', 'integer', 'number', 'integer', 'integer', 'boolean', null, 'object', 'list']
  expect(values.map(kindOf)).toEqual(kinds)
  expect(values.map(formOf)).toEqual([null, null, null, 'epoch-s', 'epoch-ms', null, null, null, null])
})

test('addShapes merges two recordings as if both responses had been recorded together', async () => {
  const one = { bookingId: 'a', people: 2 }
  const two = { bookingId: null, tags: [{ name: 'x' }], odd: 1 }
  const apart = await folded('bookings.get', one)
  addShapes(apart, await folded('bookings.get', two))
  expect(apart).toEqual(await folded('bookings.get', one, two))
})

test('foldAnswer records neither member names that look like data nor the contents of unknown members', async () => {
  const odd = JSON.parse('{"ada@example.com":1,"61491570156":2,"__proto__":3,"Ada Ng":4,"a1b":{"Ada":5},"x12345":6}')
  const { members = {} } = (await folded('bookings.get', odd))['bookings.get']?.answer ?? {}
  expect(Object.keys(members).sort()).toEqual(['(other)', 'a1b'])
  expect(members['(other)']?.seen).toBe(5)
  expect(members['a1b']).toEqual({ seen: 1, nulls: 0, kinds: { object: 1 }, forms: {} })
})

test('foldAnswer limits how many members of a very large object it records', async () => {
  const names = Array.from({ length: 5000 }, (_, at) => `guest_${'abcdefghij'[at % 10]}${at}x`.repeat(2))
  const map = Object.fromEntries(names.map((name) => [name, 1]))
  expect(Object.keys((await folded('bookings.get', map))['bookings.get']?.answer.members ?? {}).length).toBeLessThan(80)
})

test('foldAnswer records an undocumented string value only if it is a single word', async () => {
  const statuses = ['Active', 'Frozen', 'Ada Ng', 'ada@example.com', 'x'.repeat(41)]
  const shapes = await folded('giftcards.get', ...statuses.map((status) => ({ status })))
  expect(shapes['giftcards.get']?.answer.members?.['status']?.strange).toEqual({ Frozen: 1, '': 3 })
})

test('foldAnswer does not record a response that reports a business failure', async () => {
  const shapes = await folded('giftcards.redeem', { isSuccess: false, errorMessage: 'no' })
  expect(shapes['giftcards.redeem']?.answers).toBe(0)
})

test.each([
  ['[{"a":1},{"a":2},{"a', '[{"a":1},{"a":2}]'],
  ['{"count":2,"items":[{"a":"],["},{"b":[1,2', '{"count":2,"items":[{"a":"],["}]}'],
  ['{"items":[{"a":"\\"],"},{"b', '{"items":[{"a":"\\"],"}]}'],
  ['[{"a":1', null],
  ['', null],
])('sampleOf reads the complete records of the truncated %j', (text, whole) => {
  expect(parseSample(text, true)).toEqual(whole === null ? null : { value: JSON.parse(whole), isCut: true })
})

test('BodyStart keeps only the start of a body, however the body is split into chunks', () => {
  const start = new BodyStart()
  expect(start.isEmpty).toBe(true)
  const chunk = Buffer.from('x'.repeat(1000))
  for (let taken = 0; taken < 2 * MOST_BYTES; taken += chunk.length) start.add(chunk)
  expect(start).toMatchObject({ isCut: true, isEmpty: false })
  const whole = new BodyStart()
  for (const byte of Buffer.from('["é"]')) whole.add(Uint8Array.of(byte))
  expect(whole.sample(true)).toEqual({ value: ['é'], isCut: false })
})

test('foldAnswer counts a response as unreadable if it is nested too deeply', async () => {
  expect(parseSample('['.repeat(500_000), false)).toBe(null)
  const closed = parseSample('['.repeat(100_000) + ']'.repeat(100_000), false)
  const shapes: Shapes = {}
  foldAnswer(shapes, await expectedFor('bookings.statuses'), closed)
  expect(shapes['bookings.statuses']?.answers).toBe(1)
})
