import { describe, expect, test } from 'vitest'
import { CREDENTIAL_HEADERS, WEBHOOK_EVENTS } from '../../../src/contract/events.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, freePort, resets, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const KEY = 'hook-key-0815'

function trigger(...args: readonly string[]) {
  return runPartner(['webhooks', 'trigger', ...args], { env: { ...freshHome(), HOOK: KEY } })
}

/** Sends a sample of an event to a new receiver. Returns the run and the requests that arrived. */
async function triggered(act: Act, event: string, ...args: readonly string[]) {
  const server = await startRawServer([act])
  const run = await trigger(event, '--to', `${server.baseUrl}/hooks?venue=1`, ...args)
  return { run, requests: server.requests }
}

describe('samples sent by webhooks trigger', () => {
  test.each(WEBHOOK_EVENTS)('webhooks trigger sends a sample of %s as the service would send it', async (event) => {
    const { run, requests } = await triggered(answers(204), event.toLowerCase(), '--json')
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const subject = event.startsWith('BOOKING') ? 'BK-1001' : 'GIFT1-00000100-AAAA'
    expect(JSON.parse(run.stdout)).toEqual({
      ...{ event, subject, status: 204, ms: expect.any(Number) },
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/hooks\?venue=1$/),
    })
    const headers = { 'content-type': 'application/json' }
    expect(requests).toMatchObject([{ method: 'POST', target: '/hooks?venue=1', headers }])
    const member = event.startsWith('BOOKING') ? 'bookingId' : 'cardNumber'
    const body = { eventType: event, data: { [member]: subject, locationId: expect.any(String) } }
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(body)
  })

  test('webhooks trigger --set changes the sample and keeps every digit of a number', async () => {
    const args = ['--set', 'data.bookingId=BK-7', '--set', 'data.total=25.00', '--set', 'eventType=BOOKING_MOVED']
    const credentials = ['--security-key', 'env:HOOK', '--security-token', 'env:HOOK']
    const { run, requests } = await triggered(answers(200, 'ok'), 'BOOKING_UPDATED', ...args, ...credentials, '--json')
    expect(JSON.parse(run.stdout)).toMatchObject({ event: 'BOOKING_MOVED', subject: 'BK-7', status: 200 })
    expect(requests[0]?.body).toMatch(/"total":25\.00/)
    const names = Object.values(CREDENTIAL_HEADERS).map((name) => name.toLowerCase())
    expect(requests[0]?.headers).toMatchObject(Object.fromEntries(names.map((name) => [name, KEY])))
    expect(run.stdout + run.stderr).not.toContain(KEY)
  })

  test('webhooks trigger --dry-run shows the sample without its credentials, but does not send it', async () => {
    const server = await startRawServer([answers(200)])
    const args = ['BOOKING_CREATED', '--to', server.baseUrl, '--security-key', 'env:HOOK', '--dry-run']
    const shown = await trigger(...args, '--json')
    expect(JSON.parse(shown.stdout)).toEqual({
      method: 'POST',
      url: `${server.baseUrl}/`,
      headers: { 'content-type': 'application/json', 'x-security-key': '••••' },
      body: { eventType: 'BOOKING_CREATED', data: { bookingId: 'BK-1001', locationId: expect.any(String) } },
    })
    expect(await trigger(...args, '--query', 'body.data.bookingId', '-r')).toMatchObject({ stdout: 'BK-1001\n' })
    expect((await trigger(...args)).stdout).toMatch(/^POST http.*\ncontent-type: [^\n]*\nx-security-key: ••••\n\n\{\n/)
    expect(server.connections).toBe(0)
  })
})

describe('responses to webhooks trigger', () => {
  test.each([
    [200, 0, ''],
    [302, 5, 'the receiver answered 302, a redirect to "https://till.example/new"'],
    [401, 5, 'the receiver answered 401'],
    [404, 5, 'the receiver answered 404'],
    [409, 5, 'the receiver answered 409'],
    [500, 8, 'the receiver answered 500'],
    [503, 8, 'the receiver answered 503'],
  ])('webhooks trigger prints the status %i and exits with code %i', async (status, code, says) => {
    const answer = answers(status, 'no', status === 302 ? { location: 'https://till.example/new' } : {})
    const { run, requests } = await triggered(answer, 'BOOKING_CREATED')
    expect(run.code).toBe(code)
    const printed = new RegExp(`^BOOKING_CREATED {2}BK-1001 {2}${status}\n[\\s\\S]* ${status} in \\d+ ms\n$`)
    expect(run.stdout).toMatch(printed)
    expect(run.stderr).toContain(says)
    if (code !== 0) expect(run.stderr).toMatch(/\nnext: .*\nrequest: POST \/hooks · status \d+ · 1 attempt\n$/)
    // Partner must neither retry the request nor follow a redirect.
    expect(requests).toHaveLength(1)
  })

  test("webhooks trigger escapes control characters in a redirect's target", async () => {
    const answer = answers(307, '', { location: 'https://a.example/\u009b31m' })
    const { run } = await triggered(answer, 'BOOKING_CREATED')
    expect(run.code).toBe(5)
    expect(run.stderr).not.toMatch(/\u009b/)
  })

  test('webhooks trigger exits with code 8 if it gets no response, and says whether the event may have arrived', async () => {
    const port = await freePort()
    const absent = await trigger('BOOKING_CREATED', '--to', `http://127.0.0.1:${port}/`)
    expectRefusal(absent, { code: 8, says: `nothing is listening at 127.0.0.1:${port}`, next: /nothing was sent/ })
    const { run } = await triggered(resets, 'BOOKING_CREATED')
    expectRefusal(run, { code: 8, says: 'the receiver did not respond', next: /log/ })
    const named = await trigger('BOOKING_CREATED', '--to', `http://127.0.0.1:${port}/`, '--json')
    expect(reportedError(named)).toMatchObject({ code: 'NETWORK_ERROR', outcome: 'not-applied', method: 'POST' })
  })

  test('webhooks trigger times out after 5 seconds, as the service does', async () => {
    const { run } = await triggered(() => {}, 'BOOKING_CREATED', '--json')
    expect(reportedError(run)).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', message: /within 5s/ })
  })
})

describe('invalid webhooks trigger arguments', () => {
  test('webhooks trigger reports an unknown event and an invalid URL together', async () => {
    const run = await trigger('booking_craeted', '--to', 'ftp://till.example')
    const both = { code: 2, says: /did you mean BOOKING_CREATED\?[\s\S]*--to must be an absolute http or https URL/ }
    expectRefusal(run, both)
  })

  test('webhooks trigger refuses a URL that contains a password without printing the password', async () => {
    const run = await trigger('BOOKING_CREATED', '--to', 'https://till:hunter2@till.example/')
    expectRefusal(run, { code: 2, says: '--to must not contain a user name or password', secrets: ['hunter2'] })
  })

  test('webhooks trigger refuses to send credentials over plain http to another machine', async () => {
    for (const flag of ['--security-key', '--security-token']) {
      const run = await trigger('BOOKING_CREATED', '--to', 'http://till.example/', flag, 'env:HOOK')
      expectRefusal(run, { code: 2, says: '--to must use https', next: /nothing was sent.*127\.0\.0\.1/ })
    }
  })

  test('webhooks trigger refuses a credential that is given in plain text, is missing or is not a valid header value', async () => {
    const send = (...more: string[]) => trigger('BOOKING_CREATED', '--to', 'https://till.example/', ...more)
    const secrets = ['hunter2']
    expectRefusal(await send('--security-key', 'hunter2'), { code: 2, says: 'not the secret itself', secrets })
    expectRefusal(await send('--security-key', 'env:NOT_THERE'), { code: 4, says: 'NOT_THERE' })
    const env = { ...freshHome(), HOOK: 'hunter2\nX-Evil: 1' }
    const args = words('webhooks trigger BOOKING_CREATED --to https://till.example/ --security-key env:HOOK')
    expectRefusal(await runPartner(args, { env }), { code: 4, says: 'not allowed in a header', secrets })
  })
})
