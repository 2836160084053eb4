import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, freePort, RAW_KEY, startRawServer } from '../../support/raw-server.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'
import { rowsSkippedFor, runDoctor } from './run-doctor.ts'

const sandbox = await startSharedSandbox()
const ZONE = { PARTNER_TIMEZONE: 'Australia/Sydney' }

/** Starts a service whose Date headers are off by the given number of milliseconds. */
function datedService(offMs: number) {
  return startRawServer(() =>
    answers(200, [{ statusType: 'standard', code: 'SEATED', name: 'Seated' }], {
      date: new Date(Date.now() + offMs).toUTCString(),
    }),
  )
}

describe('doctor with a healthy service', () => {
  test('doctor finds no problem in the built-in sandbox', async () => {
    const { code, rows, stderr } = await runDoctor({}, words('--profile sandbox'))
    expect(code).toBe(0)
    expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
    expect(rows.map(({ name }) => name)).toEqual([
      ...['node', 'data directory', 'disk', 'pace file', 'configuration', 'links', 'profile', 'modes', 'secrets'],
      ...['proxy', 'dns', 'tcp', 'tls', 'service', 'clock', 'rate limit', 'key', 'venue', 'statuses'],
      ...['webhooks', 'signing', 'operations', 'sync', 'growth'],
    ])
    expect(stderr).toBe('14 ok, 1 warning, 9 skipped\n')
  })

  test('doctor finds no problem in a healthy service and reads each endpoint once', async () => {
    const { port, requests } = await startRawServer(({ target }) =>
      answers(200, target.startsWith('/Webhooks') ? [] : [{ code: 'SEATED' }], { date: new Date().toUTCString() }),
    )
    const { rows } = await runDoctor({
      ...ZONE,
      PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
      PARTNER_API_KEY: RAW_KEY,
    })
    const doubtful = rows.filter(({ status }) => status === 'fail' || status === 'warn')
    expect(doubtful.map(({ name }) => name)).toEqual(['webhooks'])
    const expected = ['GET /Resources/booking-statuses', 'GET /Webhooks']
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual(expected)
  })

  test('doctor warns about each event without a webhook subscription', async () => {
    const home = freshHome()
    const create = words('webhooks create BOOKING_CREATED https://192.0.2.1/hooks --profile sandbox --yes')
    expect((await runPartner(create, { env: home })).code).toBe(0)
    const { code, row } = await runDoctor(home, words('--profile sandbox'))
    expect(code).toBe(0)
    const message = expect.stringMatching(/^1 of 6 .*missing: BOOKING_UPDATED, GIFTCARDS_CREATED/)
    expect(row('webhooks')).toMatchObject({ status: 'warn', message })
  })
})

describe('doctor with rejected API keys', () => {
  const at = (key: string) => ({ ...ZONE, ...sandbox.env, PARTNER_API_KEY: key })

  test("doctor's key row fails if the service does not know the key", async () => {
    const { cause, rows } = await runDoctor(at('not-the-key-4711'))
    expect(cause).toMatchObject({ name: 'key', message: expect.stringMatching(/401.*does not know this key/) })
    expect(cause?.next).toBe('partner config')
    expect(rowsSkippedFor(rows, 'key')).toEqual(['venue', 'statuses', 'webhooks'])
  })

  test("doctor's key row fails if the key does not belong to a known app", async () => {
    const { cause } = await runDoctor(at(sandbox.keys.unknownApp))
    const message = expect.stringMatching(/loggedInAppId is required.*does not belong to a partner app/)
    expect(cause).toMatchObject({ name: 'key', message })
  })

  test("doctor's key row passes but its venue row fails if no venue is linked to the key", async () => {
    const { cause, row } = await runDoctor(at(sandbox.keys.unlinkedVenue))
    expect(row('key')?.status).toBe('ok')
    const message = expect.stringContaining('No Venue Subscribed to your App.')
    const next = "ask the partner manager to link the venue to this key's app"
    expect(cause).toMatchObject({ name: 'venue', message, next })
  })

  test("doctor's secrets row fails and doctor sends nothing if the variable for the key is not set", async () => {
    const home = freshHome()
    const { baseUrl, requests } = await startRawServer([answers(200, [])])
    const add = ['profiles', 'add', 'till', '--base-url', baseUrl, '--api-key', 'env:TILL_KEY']
    expect((await runPartner(add, { env: home })).code).toBe(0)
    const { cause, rows } = await runDoctor(home)
    const message = 'the API key should come from the variable TILL_KEY, which is not set'
    const next = 'read -rs TILL_KEY && export TILL_KEY && partner doctor'
    expect(cause).toMatchObject({ name: 'secrets', message, next })
    expect(rowsSkippedFor(rows, 'secrets')).toContain('key')
    expect(requests).toEqual([])
  })
})

describe('doctor with clocks that differ', () => {
  test.each([
    ['ahead', -600_000],
    ['behind', 600_000],
  ])("doctor's clock row fails if this machine's clock is 10 minutes %s", async (way, offMs) => {
    const { cause } = await runDoctor({ ...ZONE, ...(await datedService(offMs)).env })
    const message = expect.stringMatching(new RegExp(`(?:9m 5\\ds|10m(?: \\d+s)?) ${way}`))
    expect(cause).toMatchObject({ name: 'clock', message })
  })

  test("doctor's clock row fails if the sandbox's clock was advanced, and suggests partner sandbox clock", async () => {
    const home = freshHome()
    expect((await runPartner(words('sandbox clock advance 2h'), { env: home })).code).toBe(0)
    const message = expect.stringMatching(/^the sandbox has its own clock, and this machine's is 2h behind it$/)
    const next = 'partner sandbox clock'
    expect((await runDoctor(home, words('--profile sandbox'))).cause).toMatchObject({ name: 'clock', message, next })
  })

  test("doctor warns if this machine's clock is two minutes off", async () => {
    const { code, row } = await runDoctor({ ...ZONE, ...(await datedService(120_000)).env })
    expect(code).toBe(0)
    expect(row('clock')?.status).toBe('warn')
  })

  test('doctor checks the clock even if the service rejects the key', async () => {
    const refuses = answers(401, { message: 'Unauthorized' }, { date: new Date(0).toUTCString() })
    const { env } = await startRawServer([refuses])
    const { cause, row } = await runDoctor(env)
    expect(cause?.name).toBe('clock')
    expect(row('key')?.status).toBe('fail')
  })

  test('doctor skips the clock row if the response has no Date header', async () => {
    const { env } = await startRawServer([answers(200, [{ code: 'SEATED' }])])
    expect((await runDoctor(env)).row('clock')?.status).toBe('skip')
  })
})

describe('doctor with an unreachable or misbehaving service', () => {
  test("doctor's tcp row fails and names the port if nothing is listening there", async () => {
    const port = await freePort()
    const { cause, rows } = await runDoctor({ PARTNER_BASE_URL: `http://127.0.0.1:${port}`, PARTNER_API_KEY: RAW_KEY })
    const message = expect.stringContaining(`nothing is listening at 127.0.0.1:${port} (connection refused)`)
    expect(cause).toMatchObject({ name: 'tcp', message, next: 'partner config' })
    const expected = [...['tls', 'service', 'clock', 'rate limit', 'key', 'venue', 'statuses', 'webhooks', 'signing']]
    expect(rowsSkippedFor(rows, 'tcp')).toEqual(expected)
  })

  test("doctor's dns row fails if the host name does not resolve", async () => {
    const baseUrl = 'https://no-such-host.invalid'
    const { cause, rows } = await runDoctor({ PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY })
    const message = expect.stringContaining('"no-such-host.invalid" does not resolve')
    expect(cause).toMatchObject({ name: 'dns', message })
    expect(rowsSkippedFor(rows, 'dns')).toContain('tcp')
  })

  test.each([
    ['an error from the service', answers(500, { message: 'An error occurred.' }), /^500: An error occurred/],
    ['a web page', answers(200, '<html>log in</html>', { 'content-type': 'text/html' }), /answered with a web page/],
    ['a redirect', answers(302, '', { location: 'https://elsewhere.example/' }), /redirects to/],
  ])("doctor's service row fails if the response is %s", async (_, act, says) => {
    const { cause, rows } = await runDoctor((await startRawServer([act])).env)
    expect(cause).toMatchObject({ name: 'service', message: expect.stringMatching(says) })
    expect(rowsSkippedFor(rows, 'service')).toContain('key')
  })

  test("doctor's rate limit row fails for a 429 response, and doctor makes no further requests", async () => {
    const limit = 'You may only perform this action 10 times every 60000 milliseconds'
    const { env, requests } = await startRawServer([answers(429, { message: limit })])
    const { cause, rows } = await runDoctor(env)
    const message = expect.stringContaining(limit)
    expect(cause).toMatchObject({ name: 'rate limit', message, next: 'sleep 60 && partner doctor' })
    expect(rowsSkippedFor(rows, 'rate limit')).toEqual(['key', 'venue', 'statuses', 'webhooks'])
    expect(requests).toHaveLength(1)
  })
})
