import { describe, expect, test } from 'vitest'
import { type JsonObject, parseExact } from '../../../src/base/json/exact.ts'
import { cancellationViews, redemptionViews } from '../../../src/features/giftcards/views/changes.ts'
import { giftCardCard, giftCardList } from '../../../src/features/giftcards/views/gift-card.ts'
import { giftCard, redemption } from '../sample-records.ts'
import { card, said, table, unknownZone } from '../shown.ts'

const shown = (record: JsonObject, asked = {}) => card(record, giftCardCard, giftCardList, asked)

describe('the gift card view', () => {
  test('the gift card view shows the balance first, then the status and expiry', async () =>
    expect(await shown(giftCard)).toEqual([
      'Gift card ABCDE-12345678-WXYZ  Active',
      '',
      '  Balance      54.50 of 100.00',
      '  Status       Active',
      '  Expires      2027-01-05 11:59 Australia/Sydney (in 45 days)',
      '  Issued       2026-01-05 12:00 Australia/Sydney (319 days ago)',
      '  Recipient    Ada Lovelace <ada@example.com>',
      '  Purchaser    Charles Babbage <charles@example.com>',
      '  Format       E-gift card',
      '  Payment      In house',
      '  Experience   Harbour lunch',
      '  Details      For two',
      '  Card number  ABCDE-12345678-WXYZ',
    ]))

  test('the gift card view says that a card is unused if its balance equals its amount, even if they are formatted differently', async () => {
    const record = parseExact('{"amount":100,"remainingAmount":100.00}') as JsonObject
    expect(said(await shown(record), 'Balance')).toBe('100.00, unused')
  })

  test('the gift card view shows dates in UTC and says so if no time zone is known', async () =>
    expect(said(await shown(giftCard, { context: unknownZone }), 'Expires')).toBe('2027-01-05 00:59 UTC (in 45 days)'))

  test('the gift card view shows how long ago a card expired', async () => {
    const lines = await shown({ ...giftCard, status: 'Expired', expiryDate: '2026-10-01T00:00:00Z' })
    expect(said(lines, 'Expires')).toBe('2026-10-01 10:00 Australia/Sydney (50 days ago)')
  })

  test('the gift card view says that no balance is given if the record is empty', async () =>
    expect(await shown({})).toContain('  Balance      not given'))
})

test('the gift cards table shows the number, balance, status and expiry even at 80 columns', async () =>
  expect(await table([giftCard], giftCardList, { columns: 80 })).toEqual([
    'CARD                 BALANCE      OF  STATUS  EXPIRES           RECIPIENT',
    'ABCDE-12345678-WXYZ    54.50  100.00  Active  2027-01-05 11:59  Ada Lovelace <a…',
  ]))

describe('redemption and cancellation views', () => {
  const redeemViews = redemptionViews(null)
  const cancelViews = cancellationViews({ balance: null, status: null })
  const redeemed = (record: JsonObject) => card(record, redeemViews.card, redeemViews.list)
  const cancelled = (record: JsonObject) => card(record, cancelViews.card, cancelViews.list)

  test('the redemption view shows the redeemed amount, the card, and whether any balance remains', async () => {
    const lines = await redeemed(redemption)
    expect(lines[0]).toBe('Redeemed 25.00 from ABCDE-12345678-WXYZ')
    expect(said(lines, 'Status')).toBe('Active (part of the balance is left)')
    expect(said(await redeemed({ ...redemption, status: 'Redeemed' }), 'Status')).toBe('Redeemed (nothing is left)')
  })

  test("the view for a failed redemption shows the service's reason", async () => {
    const [first] = await redeemed({
      ...redemption,
      isSuccess: false,
      status: 'Error',
      errorMessage: 'Already redeemed.',
    })
    expect(first).toBe('Not redeemed  Already redeemed.')
  })

  test('the cancellation view shows whether the cancellation changed anything', async () => {
    const result = { cardNumber: 'ABCDE-12345678-WXYZ', status: 'Cancelled', changed: true }
    expect(await cancelled(result)).toEqual(['Cancelled ABCDE-12345678-WXYZ', '', '  Status  Cancelled'])
    expect(await cancelled({ ...result, changed: false })).toEqual([
      'Already cancelled: ABCDE-12345678-WXYZ  nothing was changed',
      '',
      '  Status  Cancelled',
    ])
  })
})
