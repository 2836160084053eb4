import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { findEndpoints } from '../../src/contract/paths.ts'
import { isLoopback } from '../../src/http/loopback.ts'

const idsAt = (path: string) => findEndpoints(path).map(({ id }) => id)

test('findEndpoints finds every endpoint by its own path', () => {
  for (const { id, path } of Object.values(ENDPOINTS))
    expect(idsAt(path.replaceAll(/\{\w+\}/g, 'x')), path).toContain(id)
})

test('findEndpoints decodes path parameters, but leaves invalid ones unchanged', () => {
  expect(findEndpoints('/GiftCards/A%2FB%20C')).toMatchObject([{ parameters: { cardNumber: 'A/B C' } }])
  expect(findEndpoints('/GiftCards/100%')).toMatchObject([{ parameters: { cardNumber: '100%' } }])
  expect(findEndpoints('/Sales/partners/pos/events/sale.closed')).toMatchObject([
    { id: 'inbound.event', parameters: { partnerName: 'pos', eventType: 'sale.closed' } },
  ])
})

test('findEndpoints prefers a literal segment over a parameter', () =>
  expect(idsAt('/Bookings/tables')).toEqual(['bookings.tables', 'bookings.get']))

test.each(['/Bookings/updatebookingasync', '/bookings/UpdateBookingAsync', '/Bookings/Tables', '/GiftCards/Redeem'])(
  'findEndpoints finds no endpoint at %s, because paths are case-sensitive',
  (path) => expect(idsAt(path)).toEqual([]),
)

test('findEndpoints accepts both spellings of the booking statuses path in the specification', () => {
  expect(idsAt('/Resources/booking-statuses')).toEqual(['bookings.statuses'])
  expect(idsAt('/resources/booking-statuses')).toEqual(['bookings.statuses'])
  expect(idsAt('/RESOURCES/booking-statuses')).toEqual([])
})

test.each(['/giftcards/x', '/GiftCards/', '/GiftCards/x/', '/nowhere', '/', ''])(
  'findEndpoints finds no endpoint at %j',
  (path) => {
    expect(idsAt(path)).toEqual([])
  },
)

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['[::1', false],
  ['', false],
])('isLoopback(%j) is %s', (hostname, expected) => expect(isLoopback(hostname)).toBe(expected))
