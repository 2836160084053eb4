import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needs, skipWithout } from '../support/needs.ts'
import { freshHome, runPartner } from '../support/partner.ts'
import { type Act, answers, RAW_KEY, type RawRequest, resets, startRawServer } from '../support/raw-server.ts'
import { operationOf, reportedError } from '../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'

const CARD = 'GIFT1-00000100-AAAA'
const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5']
const REDEEMED = { cardNumber: CARD, remainingAmount: 100, status: 'Active', amountRedeemed: 5, isSuccess: true }
const ANSWER = { ...REDEEMED, bookingId: 'BK-1', pax: 3 }
const SIGNING = { partnerName: 'pos', signatureHeader: 'X-Sign', locationId: 'L1' }

/** Creates a home directory with a `till` profile for a service that handles requests with `act`. */
async function till(act: (request: RawRequest) => Act, settings: Readonly<Record<string, unknown>> = {}) {
  const server = await startRawServer(act)
  const env = freshHome()
  const secrets = { apiKey: { value: RAW_KEY }, signingSecret: { value: 's'.repeat(20) } }
  const profiles = { till: { baseUrl: server.baseUrl, ...secrets, ...SIGNING, ...settings } }
  mkdirSync(env.PARTNER_CONFIG_DIR, { recursive: true, mode: 0o700 })
  writeFileSync(join(env.PARTNER_CONFIG_DIR, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
  return { server, env, host: `127.0.0.1:${server.port}` }
}

const works = ({ method }: Pick<RawRequest, 'method'> = { method: 'GET' }) =>
  answers(200, method === 'PATCH' ? { ...ANSWER, status: 'Cancelled' } : ANSWER)

describe('the service that an error names', () => {
  test('an error names the profile and host in the request line, and as "host" in JSON', async () => {
    const { env, host } = await till(() => answers(404, { message: 'Gone.' }))
    const args = ['bookings', 'get', 'BK-1', '-p', 'till']
    const run = await runPartner(args, { env })
    expect(run.stderr).toContain(`\nrequest: GET /Bookings/BK-1 · profile till · status 404 · 1 attempt · ${host}\n`)
    expect(reportedError(await runPartner([...args, '--json'], { env }))).toMatchObject({ code: 'NOT_FOUND', host })
  })

  test('an error names only the host if no profile is used', async () => {
    const { server, host } = await till(() => answers(404, { message: 'Gone.' }))
    const run = await server.run('bookings get BK-1')
    expect(run.stderr).toContain(`\nrequest: GET /Bookings/BK-1 · status 404 · 1 attempt · ${host}\n`)
  })

  test('an error from the built-in sandbox names "sandbox" instead of its random port', async () => {
    const env = freshHome()
    const { stderr } = await runPartner('bookings get BK-none -p sandbox', { env })
    expect(stderr).toContain('\nrequest: GET /Bookings/BK-none · profile sandbox · status 404 · 1 attempt\n')
    expect(stderr).not.toContain('127.0.0.1')
    const error = reportedError(await runPartner('bookings get BK-none -p sandbox --json', { env }))
    expect(error).toMatchObject({ host: 'sandbox' })
  })

  test('an error that summarizes several failed requests names the service', async () => {
    const { env, host } = await till(() => answers(404, { message: 'Gone.' }))
    const args = ['customers', 'unsubscribe', 'C-1', 'C-2', '-p', 'till']
    const run = await runPartner(args, { env })
    expect(run).toMatchObject({ code: 11, stderr: expect.stringContaining(`\nservice: profile till · ${host}\n`) })
    expect(reportedError(await runPartner([...args, '-o', 'ndjson'], { env }))).toMatchObject({ host })
  })

  test('an error about a write whose outcome is still unknown names the service', async () => {
    const { env, host } = await till(({ method }) => (method === 'POST' ? resets : works()))
    expect((await runPartner([...REDEEM, '-p', 'till'], { env })).code).toBe(9)
    const again = await runPartner([...REDEEM, '-p', 'till'], { env })
    expect(again).toMatchObject({ code: 9, stderr: expect.stringContaining(`\nservice: profile till · ${host}\n`) })
  })

  test('a usage error does not name a service', async () => {
    const { env } = await till(works)
    const run = await runPartner(['giftcards', 'redeem', CARD, '--amount', '-5', '-p', 'till'], { env })
    expect(run).toMatchObject({ code: 2, stderr: expect.not.stringMatching(/127\.0\.0\.1|service:|request:/) })
    expect(reportedError(await runPartner('bookings get ../x -p till --json', { env }))).not.toHaveProperty('host')
  })
})

describe('destinations of writes', () => {
  const WRITES: Readonly<Record<string, readonly string[]>> = {
    'giftcards redeem': REDEEM,
    'giftcards cancel': ['giftcards', 'cancel', CARD, '--yes'],
    'inbound redeem': ['inbound', 'redeem', CARD, '--amount', '5'],
    'bookings update-pax': ['bookings', 'update-pax', 'BK-1', '3'],
    'webhooks delete': ['webhooks', 'delete', 'BOOKING_CREATED', '--yes'],
    'customers unsubscribe': ['customers', 'unsubscribe', 'C-1', 'C-2'],
  }

  test.each(Object.entries(WRITES))(
    '%s reports its destination on stderr if it prints a table',
    async (_command, args) => {
      const { env, host } = await till(works)
      const run = await runPartner([...args, '-p', 'till'], { env })
      expect(run.code).toBe(0)
      expect(run.stderr.split('\n').filter((line) => line.includes(host))).toEqual([`sent to profile till, ${host}`])
      expect(run.stdout).not.toContain(host)
    },
  )

  test.each(['json', 'ndjson', 'csv'])(
    'giftcards redeem does not report its destination with -o %s',
    async (format) => {
      const { env } = await till(works)
      expect(await runPartner([...REDEEM, '-p', 'till', '-o', format], { env })).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('dry runs and reads do not report a destination', async () => {
    const { env } = await till(works)
    const dry = await runPartner([...REDEEM, '-p', 'till', '--dry-run'], { env })
    expect([dry.stderr, (await runPartner(['giftcards', 'get', CARD, '-p', 'till'], { env })).stderr]).toEqual(['', ''])
  })

  test('giftcards redeem reports "sandbox" as its destination, or just the host if no profile is used', async () => {
    const { server, host } = await till(works)
    const inside = await runPartner([...REDEEM, '-p', 'sandbox'], { env: freshHome() })
    expect(inside).toMatchObject({ code: 0, stderr: 'sent to sandbox\n' })
    expect(await server.run(REDEEM)).toMatchObject({ code: 0, stderr: `sent to ${host}\n` })
  })

  test('giftcards redeem reports that its destination is production', async () => {
    const { env, host } = await till(works, { environment: 'production' })
    const run = await runPartner([...REDEEM, '-p', 'till'], { env })
    expect(run).toMatchObject({ code: 0, stderr: `sent to production: profile till, ${host}\n` })
  })

  test('giftcards redeem always reports its destination at a terminal, even with --json', async (context) => {
    skipWithout(context, TERMINAL)
    const { env, host } = await till(works)
    const { screen } = await runInTerminal([...REDEEM, '-p', 'till', '--json', '--yes'], [], env)
    expect(screen).toContain(`sent to profile till, ${host}`)
  })
})

describe('the service that a confirmation names', () => {
  needs(TERMINAL)

  test.each([
    ['giftcards redeem', REDEEM, 'Redeem 5.00 from'],
    ['giftcards cancel', ['giftcards', 'cancel', CARD], 'Cancel gift card'],
    ['inbound redeem', ['inbound', 'redeem', CARD, '--amount', '5'], 'Redeem 5.00 from'],
    ['webhooks delete', ['webhooks', 'delete', 'BOOKING_CREATED'], 'Delete the subscription'],
  ])('%s names the profile and host before it asks for confirmation', async (_command, args, question) => {
    const { env, host, server } = await till(works)
    const { screen, code } = await runInTerminal([...args, '-p', 'till'], [[question, 'n\r']], env)
    expect(screen.slice(0, screen.indexOf(question))).toContain(`profile till, ${host}\r\n`)
    expect(code).toBe(130)
    expect(server.requests.filter(({ method, target }) => method !== 'GET' && !target.endsWith('balance'))).toEqual([])
  })

  test('giftcards redeem names the sandbox before it asks for confirmation', async () => {
    const { screen } = await runInTerminal([...REDEEM, '-p', 'sandbox'], [['Redeem 5.00 from', 'n\r']], freshHome())
    expect(screen).toMatch(/^sandbox\r$/m)
  })

  test('operations resolve names the service in its request for confirmation', async () => {
    const { env, server } = await till(({ method }) => (method === 'POST' ? resets : works()))
    const operation = operationOf(await runPartner([...REDEEM, '-p', 'till', '--json'], { env }))
    const args = ['operations', 'resolve', operation, '--as', 'applied']
    const { screen, code } = await runInTerminal(args, [['Record that giftcards redeem', 'y\r']], env)
    expect(screen.replace(/\s+/g, ' ')).toContain(`${CARD} at ${server.baseUrl} was done?`)
    expect(code).toBe(0)
  })
})

test('giftcards cancel names the service if it needs confirmation but has no terminal', async () => {
  const { env, host } = await till(works)
  const run = await runPartner(['giftcards', 'cancel', CARD, '-p', 'till'], { env })
  expect(run.stderr).toContain(`"Cancel gift card ${CARD} permanently?" (profile till, ${host}) needs confirmation`)
})
