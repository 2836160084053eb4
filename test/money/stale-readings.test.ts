import { describe, expect } from 'vitest'
import { reportedError } from '../support/refusal.ts'
import { CARD, COMMAND_LINES, openShop, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'

const REDEEM = COMMAND_LINES['giftcards redeem']
const LOST: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const DONE_AND_LOST: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
/** What a reading answers in place of the card as it is. */
const reads = (remainingAmount: number, more: object = {}): Fault => ({
  kind: 'refused',
  status: 200,
  body: { cardNumber: CARD, amount: 1000, remainingAmount, status: 'Active', ...more },
})
const MINUTE_MS = 60_000

describe('after a redeem of 25.00 off 100.00, a replica that still shows 100.00', () => {
  test('is read again before the next one is sent', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    shop.server.faults('read', CARD, [reads(100)])
    shop.server.faults('write', CARD, [DONE_AND_LOST])
    const run = await shop.run(...REDEEM)
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('the balance went from 75.00 to 50.00')
    expect(shop.server.commitsOn(CARD)).toBe(2)
  })

  test('is no evidence that the next one was done, however the reading after it looks', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    // 100.00 before and 75.00 after: as if this one had taken 25.00.
    shop.server.faults('read', CARD, [reads(100), reads(100), reads(100)])
    shop.server.faults('write', CARD, [LOST])
    const run = await shop.run(...REDEEM)
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(shop.server.commitsOn(CARD)).toBe(1)
    const [operation] = await shop.operations()
    expect((await shop.run('operations', 'resolve', operation?.id ?? '')).code).toBe(9)
  })

  test('does not keep a card that was topped up from being redeemed', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    const card = shop.server.cards.get(CARD)
    if (card) card.cents += 10_000n
    expect((await shop.run(...REDEEM)).code).toBe(0)
    expect(shop.server.cards.get(CARD)?.cents).toBe(15_000n)
  })

  test('is forgotten some minutes later', async ({ shop }) => {
    expect((await shop.run(...REDEEM)).code).toBe(0)
    shop.age(6 * MINUTE_MS)
    const card = shop.server.cards.get(CARD)
    if (card) card.cents += 10_000n
    shop.server.faults('write', CARD, [DONE_AND_LOST])
    const run = await shop.run(...REDEEM)
    expect(run.stderr).toContain('the balance went from 175.00 to 150.00')
    expect(run.code).toBe(0)
  })
})

describe('a redeem whose answer was lost is not called done', () => {
  const between: Readonly<Record<string, object>> = {
    'expires in between': { status: 'Expired' },
    'is topped up in between': { amount: 1100 },
  }

  test.each(Object.entries(between))('because the card %s, and holds less by the amount', async (_name, more) => {
    const shop = await openShop(() => shop.server.faults('read', CARD, [reads(75, more)]))
    shop.server.faults('write', CARD, [LOST])
    const run = await shop.run(...REDEEM)
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(await shop.operations()).toMatchObject([{ state: 'open' }])
  })
})
