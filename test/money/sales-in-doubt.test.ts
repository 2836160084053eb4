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

/** Opens a shop with a sale whose outcome is unknown. */
async function shopInDoubt(phase: 'before' | 'after', args: readonly string[] = CREATE): Promise<Shop> {
  const shop = await openShop()
  shop.server.setFaults('write', SALE, [lost(phase)])
  shop.server.setFaults('read', 'sales', [{ kind: 'refused', status: 503, body: '' }])
  expect((await shop.run(...args, '--retries', '0')).code).toBe(9)
  shop.server.setFaults('read', 'sales', [])
  return shop
}

describe('sales whose response was lost', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const
  test.each(signals)('a sale stays open if %s arrives while partner waits to resend it', async (signal) => {
    const shop = await openShop()
    const busy: Fault = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '20' } }
    shop.server.setFaults('write', SALE, [lost('after'), busy])
    const create = startPartner(CREATE, { env: shop.env })
    await until(() => shop.server.writesOn(SALE) === 2)
    create.process.kill(signal)
    expect(reportedError(await create.ended)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(await shop.operations()).toMatchObject([{ state: 'open', target: SALE }])
    expect((await shop.run(...CREATE)).code).toBe(0)
    expect(shop.server.commitsOn(SALE)).toBe(1)
  })

  test('a sale stays open if Ctrl-C is pressed while partner looks it up after a 409', async () => {
    const history = await History.begin(1)
    const sale = history.addIntent('sales create', { bookingId: null })
    history.retries = 1
    history.faults(sale, lost('after'))
    const run = history.run()
    // Partner looks the sale up before resending it and again after the 409.
    history.server.setCallbacks('read', 'sales', [null, () => run.interrupt()])
    expect(await history.attempt(sale, run)).toMatchObject({ said: 'unknown', exitCode: 9 })
    expect(history.findOpen(sale)).not.toBeNull()
  })

  test('a sale is not resent after a lost response if the service lists it', async ({ shop }) => {
    shop.server.setFaults('write', SALE, [lost('after')])
    const stderr = 'the response was lost, but the sale arrived: the service lists the sale\n'
    expect(await shop.run(...LINKED)).toMatchObject({ code: 0, stderr })
    expect(shop.server.writesOn(SALE)).toBe(1)
  })

  test.each([
    ['total', 'BK-1001', 9_999, 'its total is 99.99, not 25.00'],
    ['booking', 'BK-2002', 2_500, 'it belongs to booking BK-2002, not BK-1001'],
  ])(
    'a listed sale with the same ID but a different %s is not mistaken for the sent one',
    async (_what, bookingId, amount, says) => {
      const shop = await openShop()
      shop.server.ledger.sell(SALE, { bookingId, total: { amount } })
      shop.server.setFaults('write', SALE, [lost('before')])
      const run = await shop.run(...LINKED)
      expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
      expect(run.stderr).toContain(`a different sale with this ID: ${says}`)
      expect(shop.server.writesOn(SALE)).toBe(1)
      const resolved = await shop.resolve('--json')
      expect(reportedError(resolved)).toMatchObject({ exitCode: 9 })
      expect(resolved.stderr).toContain(says)
    },
  )

  test("the error message quotes the service's message without its trailing full stop", async ({ shop }) => {
    const body = '{"message":"An unexpected error occurred."}'
    shop.server.setFaults('write', SALE, [{ kind: 'refused', status: 500, body }])
    const run = await shop.run(...LINKED, '--retries', '0')
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(run.stderr).toContain('An unexpected error occurred; the service does not list the sale')
  })

  test('a 409 does not prove that a sale arrived if another listed sale has the same ID', async ({ shop }) => {
    shop.server.setFaults('write', SALE, [lost('before')])
    // The lookup before the retry fails, but the one after the 409 succeeds.
    shop.server.setFaults('read', 'sales', [{ kind: 'refused', status: 503, body: '' }])
    shop.server.ledger.sell(SALE, { bookingId: 'BK-1001', total: { amount: 9_999 } })
    const run = await shop.run(...LINKED, '--retries', '1')
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    expect(shop.server.writesOn(SALE)).toBe(2)
    expect(await shop.operations()).toMatchObject([{ state: 'open' }])
  })
})

describe('retries of an open sale', () => {
  test('an open sale is resent if it is retried within ten minutes', async () => {
    const shop = await shopInDoubt('before')
    shop.age(9 * MINUTE_MS)
    expect((await shop.run(...CREATE)).code).toBe(0)
    expect([shop.server.writesOn(SALE), shop.server.commitsOn(SALE)]).toEqual([2, 1])
  })

  const agesMs = [11 * MINUTE_MS, 20 * 24 * 60 * MINUTE_MS]
  test.each(agesMs)('an open sale that was first sent %s ms ago is not resent without --force', async (ms) => {
    const shop = await shopInDoubt('before')
    shop.age(ms)
    const error = reportedError(await shop.run(...CREATE))
    const message = expect.stringContaining('it was first sent more than ten minutes ago')
    expect(error).toMatchObject({ exitCode: 9, outcome: 'unknown', message, hint: expect.stringContaining('--force') })
    expect(shop.server.writesOn(SALE)).toBe(1)
    expect((await shop.run(...CREATE, '--force')).code).toBe(0)
    expect(shop.server.commitsOn(SALE)).toBe(1)
  })

  test('an open sale that the service lists is settled without being resent', async () => {
    const shop = await shopInDoubt('after', LINKED)
    shop.age(11 * MINUTE_MS)
    const run = await shop.run(...LINKED)
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('the service lists the sale') })
    expect(shop.server.writesOn(SALE)).toBe(1)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
  })
})

test('a sale whose response was a redirect is never resent, not even by a later run', async ({ shop }) => {
  const location = 'https://elsewhere.example/sales'
  shop.server.setFaults('write', SALE, [{ kind: 'refused', status: 307, body: '', headers: { location } }])
  expect(reportedError(await shop.run(...CREATE))).toMatchObject({ exitCode: 5, outcome: 'unknown' })
  expect(shop.server.writesOn(SALE)).toBe(1)
  const again = await shop.run(...CREATE)
  expect(reportedError(again)).toMatchObject({ exitCode: 9 })
  expect(again.stderr).toContain('redirect')
  expect(shop.server.writesOn(SALE)).toBe(1)
})
