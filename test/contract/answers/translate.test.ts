import { expect, test } from 'vitest'
import { type DateDialect, type Dialect, NO_DIALECT, parseDialect } from '../../../src/contract/answers/dialect.ts'
import { recordInForm, translateCardNumbers, translateResponse } from '../../../src/contract/answers/translate.ts'

const dialect = (form: DateDialect): Dialect => ({ ...NO_DIALECT, dates: { lastModifiedDate: form } })

test.each<readonly [DateDialect, unknown, unknown]>([
  ['epoch-ms', 1_763_620_000_123, '2025-11-20T06:26:40.123Z'],
  ['epoch-ms', '1763620000123', '2025-11-20T06:26:40.123Z'],
  ['epoch-s', 1_763_620_000, '2025-11-20T06:26:40.000Z'],
  ['json-date', '/Date(1763620000123)/', '2025-11-20T06:26:40.123Z'],
  ['json-date', '/Date(1763620000123+1100)/', '2025-11-20T06:26:40.123Z'],
  ['no-zone', '2025-11-20T06:26:40', '2025-11-20T06:26:40.000Z'],
  ['no-zone', '2025-11-20T06:26:40.1234567', '2025-11-20T06:26:40.123Z'],
  ['spaced', '2025-11-20 06:26:40', '2025-11-20T06:26:40.000Z'],
  ['spaced', '2025-11-20 17:26:40 +1100', '2025-11-20T06:26:40.000Z'],
  // A value in an unexpected form stays unchanged, because converting it would mean guessing.
  ['epoch-ms', '2025-11-20T06:26:40Z', '2025-11-20T06:26:40Z'],
  ['epoch-ms', '99999999999999999', '99999999999999999'],
  ['no-zone', 'soon', 'soon'],
  ['no-zone', null, null],
  ['spaced', { a: 1 }, { a: 1 }],
])('recordInForm converts a time in the form %s from %j to %j', (form, sent, read) => {
  const record = recordInForm(dialect(form), JSON.stringify({ id: 1, customer: { lastModifiedDate: sent } }))
  expect(JSON.parse(record)).toEqual({ id: 1, customer: { lastModifiedDate: read } })
})

test('recordInForm changes only the times in a record and keeps every digit of other numbers', () => {
  const text = '{ "total": 25.00, "bookedAt": 1763620000123 }'
  expect(recordInForm(dialect('epoch-ms'), text)).toBe(text)
  const dated = '{"total":25.00,"big":9007199254740993,"lastModifiedDate":1763620000000}'
  expect(recordInForm(dialect('epoch-ms'), dated)).toBe(
    '{"total":25.00,"big":9007199254740993,"lastModifiedDate":"2025-11-20T06:26:40.000Z"}',
  )
})

test('translateResponse moves the list in a response to where the contract expects it', () => {
  const lists = { lists: { 'bookings.list': 'reservations', 'bookings.statuses': 'statuses', 'sales.list': '' } }
  const followed = { ...NO_DIALECT, ...lists }
  const bookings = { id: 'bookings.list', list: { member: 'bookings', paging: 'none' } } as const
  const statuses = { id: 'bookings.statuses', list: { member: null, paging: 'none' } } as const
  const sales = { id: 'sales.list', list: { member: 'items', paging: 'offset' } } as const
  expect(translateResponse(followed, bookings, { count: 1, reservations: [1] })).toEqual({ count: 1, bookings: [1] })
  expect(translateResponse(followed, statuses, { statuses: [1] })).toEqual([1])
  expect(translateResponse(followed, sales, [1])).toEqual({ items: [1] })
  // A response that follows the contract must still be accepted unchanged.
  expect(translateResponse(followed, statuses, [1])).toEqual([1])
})

test('translateCardNumbers converts only valid card numbers in cardNumber to lower case', () => {
  const lower = { ...NO_DIALECT, cards: 'lower' } as const
  const CARD = 'GIFT2-00005025-AAAA'
  expect(translateCardNumbers(lower, { cardNumber: CARD, notes: CARD })).toEqual({
    cardNumber: CARD.toLowerCase(),
    notes: CARD,
  })
  for (const other of [{ cardNumber: 'NO-CARD' }, { cardNumber: 5 }, ['x'], 'x', null, undefined])
    expect(translateCardNumbers(lower, other)).toBe(other)
  const typed = { cardNumber: CARD }
  expect(translateCardNumbers(NO_DIALECT, typed)).toBe(typed)
})

test('parseDialect accepts a stored dialect and rejects everything else', () => {
  const kept: Dialect = { lists: { 'bookings.list': '' }, dates: { lastModifiedDate: 'spaced' }, cards: 'lower' }
  expect(parseDialect(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  for (const other of [null, [], 'x', { lists: 5 }, { lists: { a: 5 } }, { dates: { a: 'b' } }, { cards: 'upper' }])
    expect(parseDialect(other)).toBe(null)
})
