import { describe, expect } from 'vitest'
import { reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { COMMAND_LINES, openShop, SALE, type Shop, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'
import { History } from './history.ts'

const CREATE = COMMAND_LINES['sales create']
const LINKED = [...CREATE, '--booking-id', 'BK-1001']
const lost = (phase: 'before' | 'after'): Fault => ({ kind: 'lost', loss: 'reset', phase })
const MINUTE_MS = 60_000

/** A shop with a sale of which nobody knows whether it arrived. */
async function shopInDoubt(phase: 'before' | 'after', args: readonly string[] = CREATE): Promise<Shop> {
  const shop = await openShop()
  shop.server.faults('write', SALE, [lost(phase)])
  shop.server.faults('read', 'sales', [{ kind: 'refused', status: 503, body: '' }])
  expect((await shop.run(...args, '--retries', '0')).code).toBe(9)
  shop.server.faults('read', 'sales', [])
  return shop
}

describe('a sale whose answer was lost', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const
  test.each(signals)('stays open when %s comes while it waits to be sent again', async (signal) => {
    const shop = await openShop()
    const busy: Fault = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '20' } }
    shop.server.faults('write', SALE, [lost('after'), busy])
    const create = startPartner(CREATE, { env: shop.env })
    await until(() => shop.server.writesOn(SALE) === 2)
    create.process.kill(signal)
    expect(reportedError(await create.ended)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(await shop.operations()).toMatchObject([{ state: 'open', target: SALE }])
    expect((await shop.run(...CREATE)).code).toBe(0)
    expect(shop.server.commitsOn(SALE)).toBe(1)
  })

  test('stays open when Ctrl-C comes while it is looked for after a 409', async () => {
    const history = await History.begin(1)
    const sale = history.want('sales create', { bookingId: null })
    history.retries = 1
    history.faults(sale, lost('after'))
    const run = history.run()
    // It is looked for before it is sent again, and after the 409.
    history.server.meanwhile('read', 'sales', [null, () => run.interrupt()])
    expect(await history.attempt(sale, run)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.openOf(sale)).not.toBeNull()
  })

  test('is found in the list of sales, and is not sent again', async ({ shop }) => {
    shop.server.faults('write', SALE, [lost('after')])
    const stderr = 'the response was lost, but the sale arrived: the service lists the sale\n'
    expect(await shop.run(...LINKED)).toMatchObject({ code: 0, stderr })
    expect(shop.server.writesOn(SALE)).toBe(1)
  })

  test.each([
    ['total', 'BK-1001', 9_999, 'its total is 99.99, not 25.00'],
    ['booking', 'BK-2002', 2_500, 'it belongs to booking BK-2002, not BK-1001'],
  ])('is not taken for somebody else’s that has its ID and another %s', async (_what, bookingId, amount, says) => {
    const shop = await openShop()
    shop.server.ledger.sell(SALE, { bookingId, total: { amount } })
    shop.server.faults('write', SALE, [lost('before')])
    const run = await shop.run(...LINKED)
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(run.stderr).toContain(`another sale with this ID: ${says}`)
    expect(shop.server.writesOn(SALE)).toBe(1)
    const resolved = await shop.resolve('--json')
    expect(reportedError(resolved)).toMatchObject({ exitCode: 9 })
    expect(resolved.stderr).toContain(says)
  })

  test('joins a refusal that ends with a full stop to the finding without doubling the stop', async ({ shop }) => {
    const body = '{"message":"An unexpected error occurred."}'
    shop.server.faults('write', SALE, [{ kind: 'refused', status: 500, body }])
    const run = await shop.run(...LINKED, '--retries', '0')
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(run.stderr).toContain('An unexpected error occurred; the service does not list the sale')
  })

  test('is not proven by a 409 when the list shows another sale with its ID', async ({ shop }) => {
    shop.server.faults('write', SALE, [lost('before')])
    // The first look cannot be made; by the time of the 409 it can.
    shop.server.faults('read', 'sales', [{ kind: 'refused', status: 503, body: '' }])
    shop.server.ledger.sell(SALE, { bookingId: 'BK-1001', total: { amount: 9_999 } })
    const run = await shop.run(...LINKED, '--retries', '1')
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(shop.server.writesOn(SALE)).toBe(2)
    expect(await shop.operations()).toMatchObject([{ state: 'open' }])
  })
})

describe('an open sale that is run again', () => {
  test('is sent again within ten minutes', async () => {
    const shop = await shopInDoubt('before')
    shop.age(9 * MINUTE_MS)
    expect((await shop.run(...CREATE)).code).toBe(0)
    expect([shop.server.writesOn(SALE), shop.server.commitsOn(SALE)]).toEqual([2, 1])
  })

  const agesMs = [11 * MINUTE_MS, 20 * 24 * 60 * MINUTE_MS]
  test.each(agesMs)('is only looked for when it was first sent %s ms ago, and --force sends it', async (ms) => {
    const shop = await shopInDoubt('before')
    shop.age(ms)
    const error = reportedError(await shop.run(...CREATE))
    const message = expect.stringContaining('it was first sent more than ten minutes ago')
    expect(error).toMatchObject({ exitCode: 9, outcome: 'unknown', message, hint: expect.stringContaining('--force') })
    expect(shop.server.writesOn(SALE)).toBe(1)
    expect((await shop.run(...CREATE, '--force')).code).toBe(0)
    expect(shop.server.commitsOn(SALE)).toBe(1)
  })

  test('is done, and not sent, when the service lists it by then', async () => {
    const shop = await shopInDoubt('after', LINKED)
    shop.age(11 * MINUTE_MS)
    const run = await shop.run(...LINKED)
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('the service lists the sale') })
    expect(shop.server.writesOn(SALE)).toBe(1)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
  })
})

test('a sale that was answered by a redirect is never sent again, by itself or by another run', async ({ shop }) => {
  const location = 'https://elsewhere.example/sales'
  shop.server.faults('write', SALE, [{ kind: 'refused', status: 307, body: '', headers: { location } }])
  expect(reportedError(await shop.run(...CREATE))).toMatchObject({ exitCode: 5, outcome: 'unknown' })
  expect(shop.server.writesOn(SALE)).toBe(1)
  const again = await shop.run(...CREATE)
  expect(reportedError(again)).toMatchObject({ exitCode: 9 })
  expect(again.stderr).toContain('redirect')
  expect(shop.server.writesOn(SALE)).toBe(1)
})
