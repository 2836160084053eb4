import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject, parseExact } from '../../../../src/base/json/exact.ts'
import { openLiability } from '../../../../src/features/giftcards/statement/liability.ts'

function counted(...cards: readonly string[]) {
  const count = openLiability(Date.parse('2026-11-22T12:00:00Z'), 'Australia/Sydney')
  for (const text of cards) {
    const card = parseExact(text)
    if (isJsonObject(card)) count.add(card as JsonObject)
  }
  return count.result()
}

const card = (status: string, left: string, issued: string | null, expires: string | null) =>
  `{"cardNumber":"C-${status}-${left}","status":"${status}","remainingAmount":${left},"issuedDate":${JSON.stringify(issued)},"expiryDate":${JSON.stringify(expires)}}`

test('the liability report adds up the balances of Active and PendingPostage cards by status, age and month of expiry', () => {
  const found = counted(
    card('Active', '0.10', '2026-11-20T00:00:00Z', '2027-01-31T12:00:00Z'),
    // This card expires in February, because the instant is on 1 February in Sydney.
    card('Active', '0.20', '2026-10-01T00:00:00Z', '2027-01-31T18:00:00Z'),
    card('PendingPostage', '9007199254740993.25', '2020-01-01T00:00:00Z', null),
    card('Redeemed', '0', null, null),
    card('Cancelled', '75', null, null),
    card('Suspended', '5.50', null, null),
    card('Active', '1e1', null, '2026-11-01T00:00:00Z'),
  )
  expect(found.owed).toEqual({ cards: 4, amount: '9007199254741003.55' })
  expect(found.byStatus).toEqual([
    { status: 'Active', cards: 3, amount: '10.30', owed: true },
    { status: 'Cancelled', cards: 1, amount: '75.00', owed: false },
    { status: 'Redeemed', cards: 1, amount: '0.00', owed: false },
    { status: 'PendingPostage', cards: 1, amount: '9007199254740993.25', owed: true },
    { status: 'Suspended', cards: 1, amount: '5.50', owed: false },
  ])
  expect(found.byAge).toEqual([
    { age: 'up to 30 days', cards: 1, amount: '0.10' },
    { age: '31 to 90 days', cards: 1, amount: '0.20' },
    { age: 'over 3 years', cards: 1, amount: '9007199254740993.25' },
    { age: 'no date', cards: 1, amount: '10.00' },
  ])
  expect(found.byExpiry).toEqual([
    { month: '2026-11', cards: 1, amount: '10.00' },
    { month: '2027-01', cards: 1, amount: '0.10' },
    { month: '2027-02', cards: 1, amount: '0.20' },
    { month: 'no date', cards: 1, amount: '9007199254740993.25' },
  ])
  expect(found.pastExpiry).toEqual({ cards: 1, amount: '10.00' })
  expect(found.unreadable).toEqual([])
})

test('the liability report lists cards without an exact balance in cents, but excludes them from the amount owed', () => {
  const found = counted(
    card('Active', '10.005', null, null),
    card('Active', 'null', null, null),
    card('Active', '1', null, null),
  )
  expect(found.owed).toEqual({ cards: 1, amount: '1.00' })
  expect(found.unreadable).toEqual(['C-Active-10.005', 'C-Active-null'])
})
