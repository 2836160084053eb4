import { describe, expect } from 'vitest'
import { reportedError } from '../support/refusal.ts'
import { CARD, COMMAND_LINES, openShop, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'

const REDEEM = COMMAND_LINES['giftcards redeem']
const LOST: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const DONE_AND_LOST: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
/** Returns a fault that makes the service report this balance instead of the real one. */
function reads(remainingAmount: number, more: object = {}): Fault {
  const body = { cardNumber: CARD, amount: 1000, remainingAmount, status: 'Active', ...more }
  return { kind: 'refused', status: 200, body }
}
const MINUTE_MS = 60_000

describe('stale balance of 100.00 after a redemption of 25.00', () => {
  test('a stale balance is read again before the next redemption is sent', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    shop.server.setFaults('read', CARD, [reads(100)])
    shop.server.setFaults('write', CARD, [DONE_AND_LOST])
    const run = await shop.run(...REDEEM)
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('the balance went from 75.00 to 50.00') })
    expect(shop.server.commitsOn(CARD)).toBe(2)
  })

  test('a stale balance does not prove that the next redemption took effect', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    // The balance is a stale 100.00 before this redemption and 75.00 after it, as if this redemption had taken effect.
    shop.server.setFaults('read', CARD, [reads(100), reads(100), reads(100)])
    shop.server.setFaults('write', CARD, [LOST])
    expect(reportedError(await shop.run(...REDEEM))).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(shop.server.commitsOn(CARD)).toBe(1)
    expect((await shop.resolve()).code).toBe(9)
  })

  test('a card that was topped up after a redemption can be redeemed again', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    const card = shop.server.cards.get(CARD)
    if (card) card.cents += 10_000n
    expect((await shop.run(...REDEEM)).code).toBe(0)
    expect(shop.server.cards.get(CARD)?.cents).toBe(15_000n)
  })

  test('a higher balance six minutes after a redemption is not considered stale', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    shop.age(6 * MINUTE_MS)
    const card = shop.server.cards.get(CARD)
    if (card) card.cents += 10_000n
    shop.server.setFaults('write', CARD, [DONE_AND_LOST])
    const run = await shop.run(...REDEEM)
    expect(run).toMatchObject({ stderr: expect.stringContaining('the balance went from 175.00 to 150.00'), code: 0 })
  })
})

describe('cards that change after a redemption whose response was lost', () => {
  test.each<[string, object]>([
    ['expires in between', { status: 'Expired' }],
    ['is topped up in between', { amount: 1100 }],
  ])('the outcome is unknown if the card %s, even if the balance fell by the amount', async (_name, more) => {
    const shop = await openShop(() => shop.server.setFaults('read', CARD, [reads(75, more)]))
    shop.server.setFaults('write', CARD, [LOST])
    expect(reportedError(await shop.run(...REDEEM))).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(await shop.operations()).toMatchObject([{ state: 'open' }])
  })
})
