import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test as plainTest } from 'vitest'
import { startOfDay } from '../../src/base/time/zone.ts'
import { centsText, sumOf } from '../../src/money/amount.ts'
import { KeyTable } from '../../src/money/once/keys.ts'
import { getCurrentMoment } from '../../src/money/operations/moment.ts'
import { OverCap } from '../../src/money/orders/cap.ts'
import { decide } from '../../src/money/orders/decide.ts'
import { ApprovalRequired } from '../../src/money/orders/limits.ts'
import type { PreparedOrder } from '../../src/money/orders/order.ts'
import { OrderTable } from '../../src/money/orders/orders.ts'
import { getOrderStatus } from '../../src/money/orders/state.ts'
import { freshHome, ROOT, runPartner } from '../support/partner.ts'
import { words } from '../support/words.ts'
import { CARD, COMMAND_LINES, SALE, type Shop, targetOf, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'
import { commit, type Limits, readOrder, runAsAgent, withStore } from './orders/in-process.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

const NO_LIMITS: Limits = { approveUpTo: 1_000_000n, perDay: null }
const NO_APPROVAL: Limits = { approveUpTo: null, perDay: null }
const LOST_AFTER: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
const LOST_BEFORE: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const MINUTE_MS = 60_000

function wordsOf(command: MoneyCommand): readonly string[] {
  return COMMAND_LINES[command].slice(2).filter((word) => word !== '--json' && word !== '--yes')
}

interface Prepared {
  readonly handle: string
  readonly [member: string]: unknown
}

async function prepare({ env }: Shop, command: MoneyCommand, line = wordsOf(command)): Promise<Prepared> {
  const { failure, stdout } = await runAsAgent({ kind: 'prepare' }, command, line, env)
  expect(failure).toBeNull()
  return JSON.parse(stdout) as Prepared
}

const redeem = (shop: Shop, amount: string) => prepare(shop, 'giftcards redeem', [CARD, '--amount', amount])

function status({ env }: Shop, { handle }: Prepared, approveUpTo: bigint | null = null) {
  return withStore(env, (store) => getOrderStatus(store, handle, { now: getCurrentMoment(), approveUpTo }))
}

function approve({ env }: Shop, { handle }: Prepared): void {
  withStore(env, (store) => decide(store, handle, 'approve', getCurrentMoment()))
}

function change({ env }: Shop, { handle }: Prepared, how: (order: PreparedOrder) => Partial<PreparedOrder>): void {
  withStore(env, (store) => {
    const orders = new OrderTable(store.table)
    const order = orders.get(handle)
    orders.put({ ...order, ...how(order) })
  })
}

describe.each(COMMANDS)('a prepared order runs %s', (command) => {
  const target = targetOf(command)

  test('preparing an order makes only read requests and shows what the order will move', async ({ shop }) => {
    const order = await prepare(shop, command)
    expect(shop.server.writesOn(target)).toBe(0)
    const isSale = command === 'sales create'
    expect(order).toEqual({
      handle: expect.stringMatching(/^mcp_[A-Za-z0-9_-]{22}$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      action: command,
      profile: null,
      host: new URL(shop.server.baseUrl).host,
      ...(isSale ? { saleId: SALE, currency: 'AUD' } : { cardNumber: CARD, balance: '100.00' }),
      amount: command === 'giftcards cancel' ? '100.00' : '25.00',
    })
    const inMs = Date.parse(String(order['expiresAt'])) - Date.now()
    expect(inMs).toBeGreaterThan(14 * MINUTE_MS)
    expect(inMs).toBeLessThanOrEqual(15 * MINUTE_MS)
    expect(status(shop, order)).toMatchObject({ state: 'needs-approval' })
    expect(await shop.operations()).toEqual([])
  })

  test('an order is sent only once after its approval, and repeats print the same result', async ({ shop }) => {
    const order = await prepare(shop, command)
    const early = await commit(order.handle, NO_APPROVAL, shop.env)
    expect(early.failure).toBeInstanceOf(ApprovalRequired)
    expect(early.failure).toMatchObject({ code: 'USAGE', outcome: 'not-applied' })
    expect(shop.server.writesOn(target)).toBe(0)
    approve(shop, order)
    expect(status(shop, order)).toMatchObject({ state: 'prepared' })
    const first = await commit(order.handle, NO_APPROVAL, shop.env)
    expect(first.failure).toBeNull()
    for (let again = 0; again < 3; again++) {
      const { stdout, stderr, failure } = await commit(order.handle, NO_APPROVAL, shop.env)
      expect({ stdout, failure }).toEqual({ stdout: first.stdout, failure: null })
      expect(stderr).toContain('nothing was sent')
    }
    expect(shop.server.commitsOn(target)).toBe(1)
    const { state, ...done } = status(shop, order) as { state: string; answer?: unknown; how?: unknown }
    expect(state).toBe('done')
    expect(done).toMatchObject({ how: null, operation: expect.stringMatching(/^op_/) })
    expect(JSON.parse(JSON.stringify(done.answer))).toEqual(JSON.parse(first.stdout))
  })

  test('four simultaneous calls in one process send an order only once', async ({ shop }) => {
    const order = await prepare(shop, command)
    approve(shop, order)
    const runs = await Promise.all([1, 2, 3, 4].map(() => commit(order.handle, NO_APPROVAL, shop.env)))
    expect(runs.map(({ failure }) => failure)).toEqual([null, null, null, null])
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
    expect(shop.server.writesOn(target)).toBe(1)
  })

  test('an order whose response was lost is reported as done if a read request proves that it took effect', async ({
    shop,
  }) => {
    const order = await prepare(shop, command)
    approve(shop, order)
    shop.server.setFaults('write', target, [LOST_AFTER])
    expect((await commit(order.handle, NO_APPROVAL, shop.env)).failure).toBeNull()
    const how = { 'giftcards cancel': 'status', 'sales create': 'sale' } as Readonly<Record<string, string>>
    expect(status(shop, order)).toMatchObject({ state: 'done', answer: null, how: how[command] ?? 'balance' })
    expect(shop.server.commitsOn(target)).toBe(1)
  })

  test('an order is not sent if it has expired, was declined or was prepared with different values', async ({
    shop,
  }) => {
    const [late, declined, other] = [
      await prepare(shop, command),
      await prepare(shop, command),
      await prepare(shop, command),
    ]
    change(shop, late, ({ preparedAt, expiresAt }) => ({
      preparedAt: preparedAt - 15 * MINUTE_MS,
      expiresAt: expiresAt - 15 * MINUTE_MS,
      approvedAt: preparedAt,
    }))
    withStore(shop.env, (store) => decide(store, declined.handle, 'decline', getCurrentMoment()))
    change(shop, other, () => ({ fingerprint: 'another', approvedAt: Date.now() }))
    expect(status(shop, late)).toMatchObject({ state: 'expired' })
    expect(status(shop, declined)).toMatchObject({ state: 'declined' })
    for (const [order, says] of [
      [late, 'expired'],
      [declined, 'declined'],
      [other, 'different values'],
    ] as const) {
      const { failure, stdout } = await commit(order.handle, NO_LIMITS, shop.env)
      expect(failure).toMatchObject({ code: 'USAGE', outcome: 'not-applied' })
      expect(failure?.message).toContain(says)
      expect(stdout).toBe('')
    }
    expect(shop.server.writesOn(target)).toBe(0)
  })

  test('an order that the service rejects becomes refused and is not sent again', async ({ shop }) => {
    const order = await prepare(shop, command)
    approve(shop, order)
    shop.server.setFaults('write', target, [{ kind: 'refused', status: 400, body: { message: 'Not now.' } }])
    const first = await commit(order.handle, NO_APPROVAL, shop.env)
    expect(first.failure).toMatchObject({ code: 'REJECTED', outcome: 'not-applied' })
    expect(status(shop, order)).toMatchObject({
      state: 'refused',
      error: { code: 'REJECTED', message: first.failure?.message },
    })
    const again = await commit(order.handle, NO_APPROVAL, shop.env)
    expect(again.failure).toMatchObject({ code: 'REJECTED', message: first.failure?.message })
    expect(shop.server.writesOn(target)).toBe(1)
  })
})

describe('orders with an unknown outcome', () => {
  test('an order with an unknown outcome is resent only if it certainly did not take effect', async ({ shop }) => {
    const order = await redeem(shop, '25')
    shop.server.setFaults('write', CARD, [LOST_BEFORE])
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(status(shop, order)).toMatchObject({ state: 'unknown', operation: expect.stringMatching(/^op_/) })
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(shop.server.writesOn(CARD)).toBe(1)
    shop.age(2 * MINUTE_MS)
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toBeNull()
    expect(shop.server.commitsOn(CARD)).toBe(1)
    expect(status(shop, order)).toMatchObject({ state: 'done', how: null })
  })

  test('another process can resolve an order while the process that sent it is still running', async ({ shop }) => {
    const order = await redeem(shop, '25')
    shop.server.setFaults('write', CARD, [LOST_BEFORE])
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    shop.age(2 * MINUTE_MS)
    expect(JSON.parse((await shop.resolve('--json')).stdout)).toMatchObject({ state: 'not-applied' })
    expect(status(shop, order, 2500n)).toMatchObject({ state: 'prepared' })
  })

  test('an order is pending while it is being sent', async ({ shop }) => {
    const order = await redeem(shop, '25')
    let seen: unknown
    shop.server.setCallbacks('write', CARD, [
      () => {
        seen = status(shop, order).state
      },
    ])
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toBeNull()
    expect(seen).toBe('pending')
  })
})

describe('checks performed by prepare', () => {
  test('prepare rejects invalid orders, --force, --once and orders that are already open', async ({ shop }) => {
    const refusals = [
      [['CASHR-99999999-CARD', '--amount', '5'], 'NOT_FOUND'],
      [['12', '--amount', '5'], 'USAGE'],
      [[CARD, '--amount', '0'], 'USAGE'],
      [[CARD, '--amount', '5.001'], 'USAGE'],
      [[CARD, '--amount', '5', '--force'], 'USAGE'],
      [[CARD, '--amount', '5', '--once', 'till-1'], 'USAGE'],
    ] as const
    for (const [words, code] of refusals) {
      const run = await runAsAgent({ kind: 'prepare' }, 'giftcards redeem', words, shop.env)
      expect(run.failure, words.join(' ')).toMatchObject({ code })
      expect(run.stdout).toBe('')
    }
    shop.server.setFaults('write', CARD, [LOST_BEFORE])
    expect((await shop.run(...COMMAND_LINES['giftcards redeem'])).code).toBe(9)
    const same = await runAsAgent({ kind: 'prepare' }, 'giftcards redeem', wordsOf('giftcards redeem'), shop.env)
    expect(same.failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    expect(shop.server.writesOn(CARD)).toBe(1)
  })

  test('prepare warns if the balance is too low', async ({ shop }) => {
    const order = await redeem(shop, '100.01')
    expect(order['warnings']).toEqual(['only 100.00 is left on the card, less than the requested 100.01'])
  })

  test('prepare warns of a refund and of a sale without a booking', async ({ shop }) => {
    const line = wordsOf('sales create').filter((word) => !/^(?:--table-number|5)$/.test(word))
    const order = await prepare(shop, 'sales create', [...line, '--type', 'REFUND'])
    expect(order['warnings']).toEqual([
      'neither --booking-id nor --table-number is given: the service cannot link this sale to a booking',
      'the type of this sale is REFUND',
    ])
  })

  test('prepare sets the times of a sale, so that sending it later does not change them', async ({ shop }) => {
    const words = [...wordsOf('sales create'), '--closed', 'now']
    const order = await prepare(shop, 'sales create', words)
    const { flags } = readOrder(order.handle, shop.env)
    expect(flags).toMatchObject({ opened: flags['closed'], closed: expect.stringMatching(/^\d{4}-.*Z$/) })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toBeNull()
    const sent = shop.server.requests.find(({ method }) => method === 'POST')
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      openedZonedDateTime: flags['opened'],
      closedZonedDateTime: flags['closed'],
    })
  })

  test.for([
    ['read-only', 'is refused'],
    ['confirm', 'needs an approval, but no --yes'],
  ] as const)('an order with a %s profile %s', async ([mode], { shop }) => {
    const add = words(`profiles add till --base-url ${shop.server.baseUrl} --mode ${mode} --api-key-stdin`)
    const env = { ...shop.env, PARTNER_BASE_URL: undefined, PARTNER_API_KEY: undefined }
    expect(await runPartner(add, { env, input: 'till-key-4711' })).toMatchObject({ code: 0 })
    const line = [...wordsOf('sales create'), '--profile', 'till']
    const { failure, stdout } = await runAsAgent({ kind: 'prepare' }, 'sales create', line, env)
    if (mode === 'read-only')
      return expect(failure).toMatchObject({ code: 'USAGE', message: expect.stringContaining('read-only') })
    const order = JSON.parse(stdout) as Prepared
    expect(order).toMatchObject({ profile: 'till' })
    expect((await commit(order.handle, NO_APPROVAL, env)).failure).toBeInstanceOf(ApprovalRequired)
    expect((await commit(order.handle, NO_LIMITS, env)).failure).toBeNull()
    expect(shop.server.commitsOn(SALE)).toBe(1)
  })
})

plainTest('an order at the built-in sandbox is sent once, and a reset deletes it', async () => {
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox' }
  const line = ['GIFT2-00005025-AAAA', '--amount', '10.25']
  const prepared = await runAsAgent({ kind: 'prepare' }, 'giftcards redeem', line, env)
  expect(prepared.failure).toBeNull()
  const order = JSON.parse(prepared.stdout) as Prepared
  expect(order).toMatchObject({ host: 'sandbox', profile: 'sandbox', amount: '10.25', balance: '50.25' })
  for (let again = 0; again < 2; again++) expect((await commit(order.handle, NO_LIMITS, env)).failure).toBeNull()
  const card = await runPartner(['giftcards', 'get', 'GIFT2-00005025-AAAA', '--json'], { env })
  expect(JSON.parse(card.stdout)).toMatchObject({ remainingAmount: 40 })
  expect((await runPartner(['sandbox', 'reset', '--yes'], { env })).code).toBe(0)
  expect(() => readOrder(order.handle, env)).toThrow('there is no prepared order')
})

describe('--approve-up-to', () => {
  test('--approve-up-to covers orders up to and including the given amount', async ({ shop }) => {
    const [within, above] = [await redeem(shop, '10'), await redeem(shop, '10.01')]
    const limits = { approveUpTo: 1000n, perDay: null }
    expect(status(shop, within, 1000n)).toMatchObject({ state: 'prepared' })
    expect(status(shop, above, 1000n)).toMatchObject({ state: 'needs-approval' })
    expect((await commit(above.handle, limits, shop.env)).failure).toBeInstanceOf(ApprovalRequired)
    expect((await commit(within.handle, limits, shop.env)).failure).toBeNull()
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('--approve-up-to never covers a cancellation or a sale without a total', async ({ shop }) => {
    const words = wordsOf('sales create').filter((word) => !/^(?:--total-cents|2500|--currency|AUD)$/.test(word))
    for (const order of [await prepare(shop, 'giftcards cancel'), await prepare(shop, 'sales create', words)]) {
      expect((await commit(order.handle, NO_LIMITS, shop.env)).failure).toBeInstanceOf(ApprovalRequired)
      expect(status(shop, order, 1_000_000n)).toMatchObject({ state: 'needs-approval' })
    }
    expect(shop.server.writesOn(CARD) + shop.server.writesOn(SALE)).toBe(0)
  })
})

describe('--per-day', () => {
  const cap = (perDay: bigint): Limits => ({ approveUpTo: 1_000_000n, perDay })

  test('--per-day counts the exact amount moved, and orders can use up the whole cap', async ({ shop }) => {
    const [first, second, third] = [await redeem(shop, '10'), await redeem(shop, '10.01'), await redeem(shop, '9.99')]
    expect((await commit(first.handle, cap(1999n), shop.env)).failure).toBeNull()
    const { failure } = await commit(second.handle, cap(1999n), shop.env)
    expect(failure).toBeInstanceOf(OverCap)
    expect(failure).toMatchObject({ code: 'USAGE', outcome: 'not-applied' })
    expect(failure?.message).toBe(
      '10.00 has been moved today, this order moves 10.01, and the daily cap is 19.99; nothing was sent',
    )
    expect(status(shop, second)).toMatchObject({ state: 'refused', error: { code: 'USAGE' } })
    expect((await commit(third.handle, cap(1999n), shop.env)).failure).toBeNull()
    expect(shop.server.commitsOn(CARD)).toBe(2)
    expect((await commit(first.handle, cap(1n), shop.env)).failure, 'a repeat is not counted again').toBeNull()
  })

  test('--per-day counts approved orders, cancellations and unknown outcomes, but not refused orders', async ({
    shop,
  }) => {
    const lost = await redeem(shop, '30')
    shop.server.setFaults('write', CARD, [LOST_BEFORE])
    expect((await commit(lost.handle, cap(5000n), shop.env)).failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    const refused = await redeem(shop, '20')
    shop.server.setFaults('write', CARD, [{ kind: 'refused', status: 400, body: { message: 'No.' } }])
    expect((await commit(refused.handle, cap(5000n), shop.env)).failure).toMatchObject({ code: 'REJECTED' })
    const cancel = await prepare(shop, 'giftcards cancel')
    approve(shop, cancel)
    expect((await commit(cancel.handle, cap(12_999n), shop.env)).failure).toBeInstanceOf(OverCap)
    const again = await prepare(shop, 'giftcards cancel')
    approve(shop, again)
    expect((await commit(again.handle, cap(13_000n), shop.env)).failure).toBeNull()
    const sale = await prepare(shop, 'sales create')
    expect((await commit(sale.handle, cap(15_499n), shop.env)).failure).toBeInstanceOf(OverCap)
  })

  test("--per-day counts from midnight in the venue's time zone", async ({ shop }) => {
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    for (const PARTNER_TIMEZONE of zones) {
      const venue = { ...shop, env: { ...shop.env, PARTNER_TIMEZONE } }
      const [before, after] = [await redeem(venue, '10'), await redeem(venue, '10.50')]
      expect((await commit(before.handle, NO_LIMITS, venue.env)).failure).toBeNull()
      expect((await commit(after.handle, cap(1100n), venue.env)).failure).toBeInstanceOf(OverCap)
      const last = await redeem(venue, '10.75')
      withStore(venue.env, (store) => {
        const keys = new KeyTable(store.table)
        const row = keys.find(shop.server.baseUrl, before.handle)
        if (row) keys.put({ ...row, startedAt: startOfDay(Date.now(), PARTNER_TIMEZONE) - 1 })
      })
      expect((await commit(last.handle, cap(1075n), venue.env)).failure).toBeNull()
      withStore(venue.env, (store) => store.table.execute('DELETE FROM once; DELETE FROM operations'))
    }
  })

  test('--per-day refuses a sale without a total, even if the sale is approved', async ({ shop }) => {
    const words = wordsOf('sales create').filter((word) => !/^(?:--total-cents|2500|--currency|AUD)$/.test(word))
    const sale = await prepare(shop, 'sales create', words)
    expect(sale['amount']).toBeNull()
    approve(shop, sale)
    const { failure } = await commit(sale.handle, cap(1_000_000n), shop.env)
    expect(failure?.message).toContain('the amount of this order is unknown')
    expect(shop.server.writesOn(SALE)).toBe(0)
  })

  describe.each([
    ['tasks', (shop: Shop, { handle }: Prepared) => commitHere(shop, handle)],
    ['processes', (shop: Shop, { handle }: Prepared) => commitElsewhere(shop, handle)],
  ])('orders sent by eight %s at the same time', (_, send) => {
    test('simultaneous orders never exceed the cap, and only orders that would exceed it are refused', async ({
      shop,
    }) => {
      const cents = [301n, 302n, 303n, 304n, 305n, 306n, 307n, 308n]
      const orders = await Promise.all(cents.map((one) => redeem(shop, centsText(one))))
      const codes = await Promise.all(orders.map((order) => send(shop, order)))
      const moved = sumOf(shop.server.commits.map((one) => one.cents ?? 0n))
      expect(moved).toBeGreaterThan(0n)
      expect(moved).toBeLessThanOrEqual(PARALLEL_CAP)
      for (const [at, code] of codes.entries())
        if (code !== 'done') expect([code, moved + (cents[at] ?? 0n) > PARALLEL_CAP]).toEqual(['USAGE', true])
      expect(sumOf(cents.filter((_one, at) => codes[at] === 'done'))).toBe(moved)
    })
  })
})

const PARALLEL_CAP = 1215n

async function commitHere({ env }: Shop, handle: string): Promise<string> {
  const { failure } = await commit(handle, { approveUpTo: 100_000n, perDay: PARALLEL_CAP }, env)
  return failure === null ? 'done' : failure.code
}

async function commitElsewhere({ env }: Shop, handle: string): Promise<string> {
  const args = [join(ROOT, 'test/money/orders/commit-process.ts'), handle, '100000', String(PARALLEL_CAP)]
  return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })).stdout
}
