import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CARD as CASHIERS_CARD, COMMAND_LINES, openShop } from '../money/cashier.ts'
import { freshHome, runPartner } from '../support/partner.ts'
import { type Act, answers, startRawServer } from '../support/raw-server.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'

const CARD = 'GIFT1-00000100-AAAA'
const GET = ['giftcards', 'get', CARD]
const FOUND = answers(200, { cardNumber: CARD, remainingAmount: 100, status: 'Active' })
const limited = (count: number, windowMs: number): Act =>
  answers(429, { message: `You may only perform this action ${count} times every ${windowMs} milliseconds` })

/**
 * Runs a command against a service that handles the nth request with the nth act. Returns the times between requests
 * as `gaps`, in milliseconds.
 */
async function runTimed(acts: readonly (Act | (() => Act))[], args: readonly string[], env = freshHome()) {
  const at: number[] = []
  const server = await startRawServer((_request, earlier) => {
    at.push(performance.now())
    const act = acts[Math.min(earlier.length, acts.length - 1)]
    return act && act.length === 0 ? (act as () => Act)() : (act as Act)
  })
  const run = await runPartner(args, { env: { ...env, ...server.env } })
  return { run, server, gaps: at.slice(1).map((time, index) => time - (at[index] ?? 0)) }
}

const httpDate = (inMs: number) => new Date(Math.ceil((Date.now() + inMs) / 1000) * 1000).toUTCString()

describe('commands and Retry-After headers', () => {
  test.each([
    [
      'a command waits for the seconds in the Retry-After header of a 429',
      () => answers(429, '', { 'retry-after': '1' }),
      980,
    ],
    [
      'a command waits for the seconds in the Retry-After header of a 503',
      () => answers(503, '', { 'retry-after': '1' }),
      980,
    ],
    [
      'a command waits until the date in a Retry-After header',
      () => answers(503, '', { 'retry-after': httpDate(1000) }),
      950,
    ],
    [
      "a command compares a Retry-After date with the service's clock if that clock is slow",
      () => answers(503, '', { date: httpDate(-3_600_000), 'retry-after': httpDate(-3_599_000) }),
      980,
    ],
  ] as const)('%s', async (_what, act, leastMs) => {
    const { run, gaps } = await runTimed([act, FOUND], GET)
    expect(run.code).toBe(0)
    expect(gaps[0]).toBeGreaterThanOrEqual(leastMs)
  })

  test.each(['soon', '-5', '1.5', '', '0x10', 'Fri, 31 Feb 2026', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT', '0'])(
    'a command ignores a Retry-After header that is invalid, past or empty: %j',
    async (value) => {
      const { run, gaps } = await runTimed([answers(429, '', { 'retry-after': value }), FOUND], GET)
      expect(run.code).toBe(0)
      expect(gaps[0]).toBeGreaterThanOrEqual(450)
    },
  )

  test.each([
    ['61', /try again in 61 seconds/],
    ['86400', /try again in 86400 seconds/],
    ['99999999999', /try again in 99999999999 seconds/],
    ['9'.repeat(400), /try again in \d+ seconds/],
  ])('a command exits immediately with code 7 if Retry-After exceeds the longest wait: %s', async (value, when) => {
    for (const status of [429, 503]) {
      const { run, server } = await runTimed([answers(status, '', { 'retry-after': value }), FOUND], GET)
      expectRefusal(run, { code: 7, says: String(status), next: when })
      expect(server.requests).toHaveLength(1)
    }
  })

  test('a command exits immediately with code 7 if the date in a Retry-After header is a day away', async () => {
    const act = () => answers(429, '', { 'retry-after': httpDate(86_400_000) })
    const { run } = await runTimed([act, FOUND], [...GET, '--json'])
    const expected = { code: 'RATE_LIMITED', exitCode: 7, status: 429, attempts: 1, outcome: 'none' }
    expect(reportedError(run)).toMatchObject(expected)
  })

  test('a redemption has an unknown outcome (exit code 9) after a 503 with a Retry-After header', async () => {
    const redeem = ['giftcards', 'redeem', CARD, '--amount', '5', '--json']
    const { run } = await runTimed([FOUND, answers(503, '', { 'retry-after': '3600' }), FOUND], redeem)
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
  })

  test('a command waits as long as Retry-After says, even if that exceeds the default backoff', async () => {
    const { run, gaps } = await runTimed([answers(429, '', { 'retry-after': '2' }), FOUND], [...GET, '--retries', '1'])
    expect(run.code).toBe(0)
    expect(gaps[0]).toBeGreaterThanOrEqual(1980)
  })
})

/** The window of a rate limit, in milliseconds. Tests accept half that time, because network delays vary. */
const LIMIT_WINDOW_MS = 900

describe('rate limits stated in a 429 response', () => {
  const page = (start: number) =>
    answers(200, { from: 0, to: 2, length: 2, items: [{ id: `c-${start}` }, { id: `c-${start + 1}` }] })

  test('a rate limit stated in a 429 response slows down the rest of the same command', async () => {
    const at: number[] = []
    const server = await startRawServer(({ target }, earlier) => {
      at.push(performance.now())
      if (earlier.length === 0) return limited(2, LIMIT_WINDOW_MS)
      const start = Number(new URLSearchParams(target.split('?')[1]).get('StartIndex'))
      return start >= 8 ? answers(200, { from: 0, to: 0, length: 0, items: [] }) : page(start)
    })
    const run = await server.run(['customers', 'list', '--page-size', '2', '-o', 'ndjson'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout.trim().split('\n')).toHaveLength(8)
    // After the 429 response, there must be at most two requests in any window.
    const after = at.slice(1)
    for (const [index, time] of after.entries())
      if (index >= 2) expect(time - (after[index - 2] ?? 0)).toBeGreaterThan(LIMIT_WINDOW_MS / 2)
  })

  test('concurrent and later processes obey a rate limit stated in a 429 response', async () => {
    const home = freshHome()
    const at: number[] = []
    const server = await startRawServer((_request, earlier) => {
      at.push(performance.now())
      return earlier.length === 0 ? limited(1, LIMIT_WINDOW_MS) : FOUND
    })
    const env = { ...home, ...server.env }
    const runs = await Promise.all([runPartner(GET, { env }), runPartner(GET, { env })])
    const later = await runPartner(GET, { env })
    for (const { code } of [...runs, later]) expect(code).toBe(0)
    const last = at.slice(-3)
    for (const [index, time] of last.entries())
      if (index > 0) expect(time - (last[index - 1] ?? 0)).toBeGreaterThan(LIMIT_WINDOW_MS / 2)
  })

  test('a rate limit stated in a 429 response applies only to its endpoint', async () => {
    const home = freshHome()
    const server = await startRawServer(({ target }, earlier) =>
      target.startsWith('/GiftCards') && earlier.length === 0 ? limited(1, 20_000) : answers(200, []),
    )
    const env = { ...home, ...server.env }
    await runPartner([...GET, '--retries', '0'], { env })
    // If the command had waited, it would have printed a message about it to stderr.
    const stderr = 'This venue has no booking statuses.\n'
    expect(await runPartner(['bookings', 'statuses'], { env })).toMatchObject({ code: 0, stderr })
  })

  test('a command that waits for a rate limit says how to skip the wait, and can be interrupted', async () => {
    const home = freshHome()
    const server = await startRawServer([limited(1, 45_000), FOUND])
    const env = { ...home, ...server.env }
    expect((await runPartner([...GET, '--retries', '0'], { env })).code).toBe(7)
    const waiting = startPartner(GET, { env })
    await until(() => waiting.said.stderr.includes('\n'))
    const line = waiting.said.stderr
    expect(line).toMatch(
      /^waiting \d+ s: the service allows 1 request every 45 s for GET \/GiftCards\/\{cardNumber\}, as reported \d+ s ago \(to try immediately, /,
    )
    const pace = join(home.PARTNER_CACHE_DIR, 'pace.db')
    expect(line).toContain(`remove ${pace}`)
    waiting.process.kill('SIGINT')
    expect((await waiting.ended).code).toBe(130)
    expect(server.requests).toHaveLength(1)
    rmSync(pace)
    expect(await runPartner(GET, { env })).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    ['1 request in 11 days', 1, 950_400_000],
    ['999,999,999 requests in 950.4 seconds', 999_999_999, 950_400],
  ])(
    'partner ignores an implausible rate limit, so later commands do not have to wait: %s',
    async (_name, count, windowMs) => {
      const home = freshHome()
      const { run, server } = await runTimed([limited(count, windowMs), FOUND], GET, home)
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(server.requests).toHaveLength(2)
      expect(await runPartner(GET, { env: { ...home, ...server.env } })).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('operations resolve can determine the outcome of a redemption despite a rate limit', async () => {
    const shop = await openShop()
    shop.server.setFaults('write', CASHIERS_CARD, [{ kind: 'lost', loss: 'close', phase: 'before' }])
    const lost = reportedError(await shop.run(...COMMAND_LINES['giftcards redeem']))
    const { operation } = lost.details as { operation: string }
    shop.age(600_000)
    const body = { message: 'You may only perform this action 1 times every 50000 milliseconds' }
    shop.server.setFaults('read', CASHIERS_CARD, [{ kind: 'refused', status: 429, body }])
    expect((await shop.run('giftcards', 'get', CASHIERS_CARD, '--retries', '0')).code).toBe(7)
    const resolved = await shop.run('operations', 'resolve', operation, '--json')
    expect(resolved).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(resolved.stdout)).toMatchObject({ state: 'not-applied' })
  })

  test('partner ignores a nonsensical rate limit, such as 0 requests or a window of 0 ms', async () => {
    for (const act of [limited(0, 1000), limited(5, 0), limited(999_999_999, 10)])
      expect((await runTimed([act, FOUND], GET)).run.code).toBe(0)
  })
})
