import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, test as plainTest } from 'vitest'
import { centsText, sumOf } from '../../src/money/amount.ts'
import { getCurrentMoment } from '../../src/money/operations/moment.ts'
import { OverCap } from '../../src/money/orders/cap.ts'
import { decide } from '../../src/money/orders/decide.ts'
import { needs } from '../support/needs.ts'
import { ROOT } from '../support/partner.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { CARD, COMMAND_LINES } from './cashier.ts'
import { type Hosts, MINUTE_MS, openHosts, type TestHost } from './hosts.ts'
import { commit, type Limits, readOrder, runAsAgent, withStore } from './orders/in-process.ts'

needs(OWN_POSTGRES)
const postgres = postgresServer()

/** A `test` with two machines, `hosts`, as its fixture. */
const test = plainTest.extend<{ hosts: Hosts }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs
  hosts: async ({}, use) => use(await openHosts(postgres)),
})

const OTHER_CARD = 'CASHR-00000002-CARD'
const cap = (perDay: bigint | null): Limits => ({ approveUpTo: 1_000_000n, perDay })

async function prepare({ env }: TestHost, command: string, ...line: readonly string[]): Promise<string> {
  const { failure, stdout } = await runAsAgent({ kind: 'prepare' }, command, line, env)
  expect(failure).toBeNull()
  return (JSON.parse(stdout) as { handle: string }).handle
}

const redeem = (host: TestHost, amount: string) => prepare(host, 'giftcards redeem', CARD, '--amount', amount)

async function cancel(host: TestHost): Promise<string> {
  const handle = await prepare(host, 'giftcards cancel', CARD)
  withStore(host.env, (store) => decide(store, handle, 'approve', getCurrentMoment()))
  return handle
}

async function expectOverCap(host: TestHost, handle: string, perDay: bigint, moved: string): Promise<void> {
  const { failure } = await commit(handle, cap(perDay), host.env)
  expect(failure).toBeInstanceOf(OverCap)
  expect(failure).toMatchObject({ code: 'USAGE', outcome: 'not-applied' })
  expect(failure?.message).toContain(`${moved} has been moved today`)
  expect(readOrder(handle, host.env).refusal).toContain('has been moved today')
}

async function expectDone(host: TestHost, handle: string, perDay: bigint | null): Promise<void> {
  const { failure } = await commit(handle, cap(perDay), host.env)
  expect(failure).toBeNull()
}

test('the cap counts the exact amount that both machines have moved', async ({ hosts: { server, a, b } }) => {
  await expectDone(a, await redeem(a, '10'), 1999n)
  await expectOverCap(b, await redeem(b, '10'), 1999n, '10.00')
  await expectDone(b, await redeem(b, '9.99'), 1999n)
  await expectOverCap(a, await redeem(a, '0.01'), 1999n, '19.99')
  expect(server.writesOn(CARD)).toBe(2)
})

test('the cap counts the remaining balance of a card that the other machine has cancelled', async ({
  hosts: { server, a, b },
}) => {
  await expectOverCap(a, await cancel(a), 9999n, '0.00')
  await expectDone(a, await cancel(a), 10_000n)
  server.cards.set(OTHER_CARD, { cents: 5000n, status: 'Active' })
  const other = [OTHER_CARD, '--amount', '1'] as const
  await expectOverCap(b, await prepare(b, 'giftcards redeem', ...other), 10_000n, '100.00')
  await expectDone(b, await prepare(b, 'giftcards redeem', ...other), 10_100n)
})

test('an order counts towards the cap once it is claimed, unless it definitely did not take effect', async ({
  hosts,
}) => {
  const { server, a, b } = hosts
  server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  const lost = await redeem(a, '30')
  expect((await commit(lost, cap(5000n), a.env)).failure).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  await expectOverCap(b, await redeem(b, '20.01'), 5000n, '30.00')
  server.setFaults('write', CARD, [{ kind: 'refused', status: 400, body: { message: 'No.' } }])
  expect((await commit(await redeem(a, '20'), cap(5000n), a.env)).failure).toMatchObject({ code: 'REJECTED' })
  await expectDone(b, await redeem(b, '20'), 5000n)
  await hosts.age(2 * MINUTE_MS)
  const [open] = await a.operations('--state', 'open')
  expect((await a.run('operations', 'resolve', open?.id ?? '', '--json')).stdout).toContain('"not-applied"')
  await expectDone(b, await redeem(b, '30'), 5000n)
})

test("a claim by a machine that crashed before it sent anything counts only until the claim's deadline", async ({
  hosts,
}) => {
  const { server, a, b, query } = hosts
  server.cards.set(OTHER_CARD, { cents: 5000n, status: 'Active' })
  const other = (amount: string) => prepare(b, 'giftcards redeem', OTHER_CARD, '--amount', amount)
  await expectDone(a, await redeem(a, '10'), null)
  await query(`UPDATE partner_ledger.operations SET state = 'open', phase = 'claimed', sent_ms = NULL, host = 'gone';
    UPDATE partner_ledger.keys SET state = 'open'`)
  await expectOverCap(b, await other('10.01'), 2000n, '10.00')
  await query('UPDATE partner_ledger.operations SET claimed_ms = claimed_ms - attempt_ms - 61000')
  await expectDone(b, await other('10.02'), 2000n)
})

test("the cap covers the current day in the venue's time zone, according to the database's clock", async ({
  hosts,
}) => {
  const { a, b, query } = hosts
  const at = (host: TestHost) => host.with({ PARTNER_TIMEZONE: 'Pacific/Kiritimati' })
  await expectDone(at(a), await redeem(at(a), '10'), 2000n)
  await expectOverCap(at(b), await redeem(at(b), '10.01'), 2000n, '10.00')
  await query(`UPDATE partner_ledger.keys SET started_ms = extract(epoch FROM
    date_trunc('day', now() AT TIME ZONE 'Pacific/Kiritimati') AT TIME ZONE 'Pacific/Kiritimati') * 1000 - 1`)
  await expectDone(at(b), await redeem(at(b), '10.02'), 1002n)
})

test('an order upgrades a ledger from an older release, but a write without an order does not', async ({ hosts }) => {
  const { a, b, query } = hosts
  expect((await a.run(...COMMAND_LINES['giftcards redeem'])).code).toBe(0)
  await query('ALTER TABLE partner_ledger.keys DROP COLUMN counted; UPDATE partner_ledger.version SET format = 1')
  expect((await a.run('giftcards', 'redeem', CARD, '--amount', '1', '--once', 'till-1')).code).toBe(0)
  expect(await query('SELECT format, oldest FROM partner_ledger.version')).toEqual([{ format: '1', oldest: '1' }])
  await expectDone(a, await redeem(a, '10'), 1000n)
  expect(await query('SELECT format, oldest FROM partner_ledger.version')).toEqual([{ format: '2', oldest: '1' }])
  await expectOverCap(b, await redeem(b, '0.01'), 1000n, '10.00')
})

/** Runs `work` while another client's uncommitted transaction holds the lock on the cap, as a claim would. */
async function whileCapIsLocked({ url }: Hosts, work: (holder: Client) => Promise<void>): Promise<void> {
  const holder = new Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query(
      "BEGIN; SELECT pg_advisory_xact_lock(hashtext('partner_ledger cap'), hashtext(service)) FROM partner_ledger.keys",
    )
    await work(holder)
  } finally {
    await holder.end()
  }
}

/** Waits until `count` claims wait for the lock on the cap, or until one of the commits has ended. */
async function untilWaiting({ query }: Hosts, count: number, ...commits: readonly Promise<unknown>[]): Promise<void> {
  let hasEnded = false
  for (const one of commits)
    void one.finally(() => {
      hasEnded = true
    })
  const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  await until(async () => hasEnded || (await query(waits)).length >= count)
}

test("a claim waits for another machine's claim that is not yet visible in the ledger", async ({ hosts }) => {
  const { server, a, b } = hosts
  await expectDone(a, await redeem(a, '10'), 1999n)
  const handle = await redeem(b, '9.99')
  await whileCapIsLocked(hosts, async (holder) => {
    await holder.query('UPDATE partner_ledger.keys SET counted = 1001')
    const sent = commit(handle, cap(1999n), b.env)
    await untilWaiting(hosts, 1, sent)
    expect(server.writesOn(CARD)).toBe(1)
    await holder.query('COMMIT')
    expect((await sent).failure?.message).toContain('10.01 has been moved today')
  })
})

test('an order is not refused because of a claim on the same machine that the ledger has not accepted yet', async ({
  hosts,
}) => {
  const { a } = hosts
  await expectDone(a, await redeem(a, '0.01'), 1000n)
  const [first, second] = [await redeem(a, '7'), await redeem(a, '6')]
  await whileCapIsLocked(hosts, async (holder) => {
    const one = commit(first, cap(1000n), a.env)
    await untilWaiting(hosts, 1, one)
    const other = commit(second, cap(1000n), a.env)
    await untilWaiting(hosts, 2, one, other)
    expect(readOrder(second, a.env).refusal).toBeNull()
    await holder.query('COMMIT')
    const failures = (await Promise.all([one, other])).map(({ failure }) => failure)
    expect(failures.filter((failure) => failure === null)).toHaveLength(1)
    expect(failures.filter((failure) => failure instanceof OverCap)).toHaveLength(1)
  })
})

test('eight processes on two machines never move more than the cap', async ({ hosts: { server, a, b } }) => {
  const perDay = 1215n
  const cents = [301n, 302n, 303n, 304n, 305n, 306n, 307n, 308n]
  await expectDone(a, await redeem(a, '0.01'), null)
  const orders = await Promise.all(
    cents.map(async (one, at) => {
      const host = at % 2 === 0 ? a : b
      return { host, handle: await redeem(host, centsText(one)) }
    }),
  )
  const codes = await Promise.all(
    orders.map(async ({ host, handle }) => {
      const args = [join(ROOT, 'test/money/orders/commit-process.ts'), handle, '100000', String(perDay)]
      return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...host.env } })).stdout
    }),
  )
  const moved = sumOf(server.commits.map((one) => one.cents ?? 0n))
  expect(moved).toBeLessThanOrEqual(perDay)
  expect(codes).toContain('done')
  for (const [at, code] of codes.entries())
    if (code !== 'done') expect([code, moved + (cents[at] ?? 0n) > perDay]).toEqual(['USAGE', true])
})
