import { describe, expect } from 'vitest'
import { operationOf } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { CARD, openShop, type Shop, test } from './cashier.ts'
import type { Phase } from './commit-server.ts'

const redeem = (amount: string, topic = 'giftcards') => [topic, 'redeem', CARD, '--amount', amount, '--json']

/** Performs a redemption whose response is lost. Returns its operation's ID. */
async function lose(shop: Shop, amount: string, phase: Phase): Promise<string> {
  const unread = { kind: 'refused', status: 503, body: '' } as const
  shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase }])
  shop.server.setFaults('read', CARD, [null, unread])
  const run = await shop.run(...redeem(amount), '--retries', '0')
  shop.server.setFaults('read', CARD, [])
  return operationOf(run)
}

async function resolved(shop: Shop, id: string): Promise<string> {
  shop.age(61_000)
  const run = await shop.run('operations', 'resolve', id, '--json')
  return run.code === 0 ? String(JSON.parse(run.stdout).state) : run.stderr
}

describe.each([
  ['after', 'applied'],
  ['before', 'not-applied'],
] as const)('redemptions whose response is lost %s they are performed resolve as %s', (phase, state) => {
  test.each([
    ['one other redemption', ['10']],
    ['several other redemptions', ['10', '0.50', '24.99', '3']],
    ['many other redemptions', ['1', '2', '3', '4', '5', '6', '7', '8', '1.10', '1.20', '1.30', '1.40']],
  ])(`a redemption whose response was lost ${phase} it was performed is ${state} after %s`, async (_, amounts) => {
    const shop = await openShop()
    const id = await lose(shop, '25.00', phase)
    for (const amount of amounts) expect((await shop.run(...redeem(amount))).code).toBe(0)
    expect(await resolved(shop, id)).toBe(state)
  })

  test(`a redemption whose response was lost is ${state} after an identical one through the other endpoint`, async ({
    shop,
  }) => {
    const id = await lose(shop, '25.00', phase)
    expect((await shop.run(...redeem('25.00', 'inbound'))).code).toBe(0)
    expect(await resolved(shop, id)).toBe(state)
  })

  test(`a redemption whose response was lost is ${state} after another redemption hours later`, async ({ shop }) => {
    const id = await lose(shop, '25.00', phase)
    expect((await shop.run(...redeem('10'))).code).toBe(0)
    shop.age(4 * 3_600_000)
    expect((await shop.run(...redeem('5'))).code).toBe(0)
    expect(await resolved(shop, id)).toBe(state)
  })

  test(`a redemption whose response was lost is ${state} after an identical one with --force`, async ({ shop }) => {
    const id = await lose(shop, '25.00', phase)
    expect((await shop.run(...redeem('25.00'), '--force')).code).toBe(0)
    expect(await resolved(shop, id)).toBe(state)
  })
})

test('giftcards redeem accounts for simultaneous redemptions by other processes', async ({ shop }) => {
  const { promise: asked, resolve: letGo } = Promise.withResolvers<void>()
  shop.server.setCallbacks('write', CARD, [() => asked])
  shop.server.setFaults('write', CARD, [])
  const slow = startPartner(redeem('25.00'), { env: shop.env })
  await until(() => shop.server.underWayOn(CARD) === 1)
  const beside = await Promise.all(['10', '7', '3.50'].map((amount) => shop.run(...redeem(amount))))
  expect(beside.map(({ code }) => code)).toEqual([0, 0, 0])
  shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'after' }])
  letGo()
  const run = await slow.ended
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).toContain('the balance went from 100.00 to 54.50')
})

test('the balance after two redemptions is still known if their responses arrive out of order', async ({ shop }) => {
  const { promise: asked, resolve: letGo } = Promise.withResolvers<void>()
  shop.server.setFaults('write', CARD, [{ kind: 'slow', meanwhile: () => asked }])
  const slow = startPartner(redeem('25.00'), { env: shop.env })
  await until(() => shop.server.commitsOn(CARD) === 1)
  expect((await shop.run(...redeem('10'))).code).toBe(0)
  letGo()
  expect((await slow.ended).code).toBe(0)
  shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'after' }])
  const run = await shop.run(...redeem('5'))
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).toContain('the balance went from 65.00 to 60.00')
})
