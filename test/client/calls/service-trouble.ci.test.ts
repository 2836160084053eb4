import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import {
  type Act,
  after,
  answers,
  closes,
  freePort,
  hangs,
  RAW_KEY,
  redirectsTo,
  resets,
  runAgainst,
  sends,
  startRawServer,
  truncated,
} from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'

/** Read commands. `request` is the request that the command sends. */
const READS: Readonly<Record<string, { readonly args: readonly string[]; readonly request: string }>> = {
  'bookings get': { args: ['bookings', 'get', 'BK-1'], request: 'GET /Bookings/BK-1' },
  'bookings list': { args: ['bookings', 'list', '--from', 'today'], request: 'GET /Bookings' },
  'bookings statuses': { args: ['bookings', 'statuses'], request: 'GET /Resources/booking-statuses' },
  'bookings schedule': {
    args: ['bookings', 'schedule', '--date', 'today', '--people', '2'],
    request: 'GET /Bookings/schedule',
  },
  'giftcards get': { args: ['giftcards', 'get', 'gift1-00000100-aaaa'], request: 'GET /GiftCards/GIFT1-00000100-AAAA' },
  'profiles check': { args: ['profiles', 'check'], request: 'GET /Resources/booking-statuses' },
}

type Trouble = readonly [act: Act, code: number, says: RegExp | string, next?: RegExp | undefined]

const PACE = 'You may only perform this action 10 times every 1000 milliseconds'
const HTML = '<!doctype html><title>Sign in</title>'
const FOUND = answers(200, { bookingId: 'BK-1' })
const BOOKINGS = JSON.stringify({ count: 2, bookings: [{ bookingId: 'BK-1' }, { bookingId: 'BK-2' }] })

const COME_LATER = answers(429, '', { 'retry-after': '3600' })

const refuses = (status: number, message: string, code: number, next?: RegExp): Trouble => [
  answers(status, { message }),
  code,
  `error: ${message}`,
  next,
]
const refusesSilently = (status: number, code: number, next?: RegExp): Trouble => [
  answers(status, ''),
  code,
  `the service answered ${status} with an empty body`,
  next,
]
const encoded = (encoding: string, body: string) => answers(200, body, { 'content-encoding': encoding })

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'a wrong key': refuses(401, 'Unauthorized', 4, /profiles check/),
  'a key of an unknown app': refuses(400, 'loggedInAppId is required', 4, /partner manager/),
  'a venue that is not linked': refuses(400, 'No Venue Subscribed to your App.', 4, /link the venue/),
  'a key without a venue': refuses(400, 'API key not associated with a venue', 4, /link the venue/),
  'a 400 with an undocumented message': refuses(400, 'Invalid Date passed.', 5),
  'a 400 with validation errors': [
    answers(400, { title: 'One or more validation errors occurred.', errors: { Limit: ['must be a number'] } }),
    5,
    /error: One or more validation errors occurred\.\n {2}│ Limit: must be a number\n/,
  ],
  'a 401 without a body': refusesSilently(401, 4, /check the API key of this profile/),
  'a 401 with an undocumented message': refuses(401, 'Access denied.', 4, /key/),
  'a 400 without a body': refusesSilently(400, 5, /^next: use -v to see what was sent/m),
  'a 429 without a body': refusesSilently(429, 7, /wait a minute, then run the command again/),
  'a 403': refusesSilently(403, 5),
  'a 404': refuses(404, 'Nothing here.', 3),
  'a 404 that is a web page': [answers(404, HTML), 3, 'the service answered 404 with 37 characters'],
  'a 409': refuses(409, 'Already there.', 6),
  'a 429 with the documented message': refuses(429, PACE, 7, /wait/),
  'a 429 with a long Retry-After': [COME_LATER, 7, 'the service answered 429', /try again in 3600 seconds/],
  'a 500': refuses(500, 'An error occurred.', 8),
  'a 500 with Problem Details': [answers(500, { title: 'Server Error', detail: 'It broke.' }), 8, 'error: It broke.'],
  'a 502 that is a web page': [answers(502, HTML), 8, 'the service answered 502'],
  'a 503': refusesSilently(503, 8),
  'a 504': refusesSilently(504, 8),
  'a body that is not JSON': [answers(200, 'OK, here you are'), 8, 'cannot be read'],
  'half a JSON body': [answers(200, '{"bookings":[{"book'), 8, 'cannot be read'],
  'a body of whitespace': [answers(200, '  \r\n '), 8, /cannot be read|answered with an empty body/],
  'an empty body': [answers(200), 8, /answered with an empty body|cannot be read/],
  'a 204': [answers(204), 8, /answered with an empty body|cannot be read/],
  'a web page instead of JSON': [
    answers(200, HTML, { 'content-type': 'text/html; charset=utf-8' }),
    8,
    /answered with a web page|cannot be read/,
    /looks like a web page/,
  ],
  'a body shorter than its content length': [truncated(' '.repeat(100), 9), 8, 'was lost'],
  'a body in an unknown encoding': [encoded('zap', BOOKINGS), 8, 'content encoding "zap"'],
  'a body with corrupt gzip': [encoded('gzip', 'this is no gzip'), 8, 'the gzip encoding of the response is corrupt'],
  'a body that is not UTF-8': [sends('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"\x80\xff"\n'), 8, 'read'],
  'a body with too many nesting levels': [answers(200, '['.repeat(200_000)), 8, 'cannot be read'],
  'a response that is not HTTP': [sends('220 mail.example ESMTP\r\n'), 8, 'does not speak HTTP'],
  'an unsolicited 304': [answers(304), 5, 'the service answered 304'],
  'a single value instead of an object or a list': [answers(200, 'true'), 8, /single value|response is true or false/],
  'a connection that is closed': [closes, 8, 'was lost'],
  'a connection that is reset': [resets, 8, 'was lost (ECONNRESET)'],
}

const envOf = (baseUrl: string) => ({ PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY })

const NAMED_READS = Object.entries(READS).map(([name, read]) => ({ name, ...read }))

describe.each(Object.entries(TROUBLES))('%s', (trouble, [act, code, says, next]) => {
  test.each(NAMED_READS)(`$name explains ${trouble} and exits with code ${code}`, async ({ args, request }) => {
    const server = await startRawServer([act])
    const run = await server.run([...args, '--retries', '0'])
    expectRefusal(run, { code, says, next })
    expect(run.stderr).toContain(`request: ${request} · `)
    expect(server.requests).toHaveLength(1)
  })
})

test.each(NAMED_READS)('$name exits with code 8 if nothing is listening at the address', async ({ args }) => {
  const run = runPartner([...args, '--retries', '0'], { env: envOf(`http://127.0.0.1:${await freePort()}`) })
  await refused(run, 8, 'nothing is listening at 127.0.0.1', /that the service or the sandbox is running/)
})

test('bookings statuses exits with code 8 and reports the host name if it does not resolve', async () => {
  const run = runPartner('bookings statuses --retries 0', { env: envOf('https://no-such-host.invalid/api') })
  await refused(run, 8, 'the name "no-such-host.invalid" does not resolve', /check the base URL/)
})

test('bookings statuses exits with code 8 if the server at an https address does not speak TLS', async () => {
  const server = await startRawServer([], { greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' })
  const run = runPartner('bookings statuses --retries 0', { env: envOf(server.baseUrl.replace('http:', 'https:')) })
  await refused(run, 8, 'the server does not speak TLS', /base URL/)
})

test.each([
  ['bookings get', '[{"bookingId":"BK-1"}]', 'a list instead of an object'],
  ['giftcards get', '"text"', 'a single value instead of an object'],
  ['bookings schedule', '{"services":[]}', 'no list under "items", "bookings"'],
  ['profiles check', '{"status":"up"}', 'an object instead of a list'],
  ['bookings statuses', '{"CONFIRMED":1}', 'the response is an object, not a list'],
  ['bookings list', '{"services":[]}', 'no list under "bookings", "items"'],
])('%s does not accept the response %s', async (name, body, says) => {
  await refused(runAgainst([answers(200, body)], [...(READS[name]?.args ?? []), '--retries', '0']), 8, says)
})

test.each(NAMED_READS)('$name gives up if the service does not respond within --timeout', async ({ args }) => {
  const run = runAgainst([hangs], [...args, '--retries', '0', '--timeout', '200ms'])
  await refused(run, 8, 'no complete response within 200ms', /--timeout/)
})

test('--timeout applies to the whole response, not just to its first byte', async () => {
  const starts: Act = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n[')
  const ask = 'bookings schedule --date today --people 2 --retries 0'
  await refused(
    runAgainst([starts], ask, { env: { PARTNER_TIMEOUT: '300ms' } }),
    8,
    'no complete response within 300ms',
  )
})

test('bookings get accepts a slow response that ends within --timeout', async () => {
  const run = await runAgainst([after(400, FOUND)], 'bookings get BK-1 --timeout 1m --json')
  expect(run).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n', stderr: '' })
})

test.each(NAMED_READS)('$name exits with code 5 instead of following a redirect', async ({ args }) => {
  const elsewhere = await startRawServer([answers(200, [])])
  const server = await startRawServer([redirectsTo(`${elsewhere.baseUrl}/Bookings?x=1`)])
  await refused(server.run(args), 5, `redirects to ${elsewhere.baseUrl}/Bookings?x=1`, /base URL/)
  expect([server.requests.length, elsewhere.connections]).toEqual([1, 0])
})

test.each([301, 302, 303, 308])('giftcards get does not follow a redirect with status %s', async (status) => {
  const elsewhere = await startRawServer([answers(200, [])])
  const run = runAgainst([redirectsTo(elsewhere.baseUrl, status)], 'giftcards get GIFT1-00000100-AAAA')
  await refused(run, 5, `redirects to ${elsewhere.baseUrl}`)
  expect(elsewhere.connections).toBe(0)
})

describe('read retries', () => {
  test.each([408, 429, 500, 502, 503, 504])('a read is retried after a %s', async (status) => {
    const server = await startRawServer([answers(status), FOUND])
    const run = await server.run('bookings get BK-1 --json -v')
    expect(run).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n' })
    expect(run.stderr).toMatch(new RegExp(`${status} .*attempt 1\\n(.*\\n)*.* 200 .*attempt 2\\n`))
    expect(server.requests).toHaveLength(2)
  })

  test.each<[string, Act]>([
    ['reset connection', resets],
    ['closed connection', closes],
    ['truncated response', truncated('{"bookingId":"BK-1"}', 5)],
  ])('a read is retried after a %s', async (_name, act) => {
    const server = await startRawServer([act, FOUND])
    const run = await server.run('bookings get BK-1 --json')
    expect(run).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n', stderr: '' })
    expect(server.requests).toHaveLength(2)
  })

  test('a read is retried at most three times', async () => {
    const server = await startRawServer([answers(503)])
    const run = await server.run('bookings get BK-1')
    expectRefusal(run, { code: 8, says: 'the service answered 503' })
    expect(run.stderr).toContain('status 503 · 4 attempts')
    expect(server.requests).toHaveLength(4)
  })

  test.each([400, 401, 403, 404, 409])('a read is not retried after a response with status %s', async (status) => {
    const server = await startRawServer([answers(status)])
    await server.run('bookings get BK-1')
    expect(server.requests).toHaveLength(1)
  })

  test('a read is retried only after both the rate-limit window and the Retry-After of a 429 have passed', async () => {
    const named = answers(429, { message: 'You may only perform this action 1 times every 1500 milliseconds' })
    const server = await startRawServer([named, answers(429, '', { 'retry-after': '1' }), answers(200, [])])
    const started = performance.now()
    expect(await server.run('bookings statuses --json')).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(performance.now() - started).toBeGreaterThan(2480)
  })

  test('a read is not retried if Retry-After exceeds the maximum wait', async () => {
    const server = await startRawServer([COME_LATER])
    expectRefusal(await server.run('bookings statuses'), { code: 7, says: '429', next: /3600 seconds/ })
    expect(server.requests).toHaveLength(1)
  })

  test('a single record larger than 16 MiB is refused, and the read is not retried', async () => {
    const server = await startRawServer([answers(200, { notes: 'x'.repeat(17 * 1024 * 1024) })])
    expectRefusal(await server.run('bookings get BK-1'), { code: 8, says: 'larger than 16 MiB' })
    expect(server.requests).toHaveLength(1)
  })

  test('a single record larger than 16 MiB after decompression is refused', async () => {
    const bomb = gzipSync(JSON.stringify({ notes: 'x'.repeat(200 * 1024 * 1024) }))
    const explode: Act = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
      socket.write(bomb)
    }
    await refused(runAgainst([explode], 'bookings get BK-1 --retries 0'), 8, 'larger than 16 MiB')
  })
})

describe('truncated lists', () => {
  const broken = truncated(BOOKINGS, BOOKINGS.length - 3)

  test('a truncated list prints its complete records and exits with code 13', async () => {
    const server = await startRawServer([broken])
    const run = await server.run('bookings list --from today -o ndjson --columns bookingId')
    expect(run).toMatchObject({ code: 13, stdout: expect.stringMatching(/^(\{"bookingId":"BK-\d"\}\n)+$/) })
    expect(JSON.parse(run.stderr).error).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, attempts: 1 })
    expect(server.requests).toHaveLength(1)
  })

  test('a truncated list leaves its JSON array open, so that no parser accepts it as complete', async () => {
    const run = await runAgainst([broken], 'bookings list --from today --json')
    expect(run).toMatchObject({ code: 13, stdout: expect.stringMatching(/^\[/) })
    expect(() => JSON.parse(run.stdout)).toThrow(SyntaxError)
  })

  test('a truncated table shows the records that arrived and says that some are missing', async () => {
    const run = await runAgainst([broken], 'bookings list --from today')
    expect(run).toMatchObject({ code: 13, stdout: expect.stringContaining('BK-1') })
    expect(run.stderr).toMatch(/error: the list stopped after \d records?/)
    expect(run.stderr).toMatch(/next: .*some are missing/)
  })

  test('bookings list --window exits with code 13 if the service rejects a time range after the first', async () => {
    const booking = { bookings: [{ bookingId: 'BK-1' }] }
    const server = await startRawServer([answers(200, booking), answers(400, { message: 'Invalid Date passed.' })])
    const done = await server.run('bookings list --from 2026-11-01 --to 2026-11-03 --window 1d -o ndjson')
    expect(done).toMatchObject({ code: 13, stdout: '{"bookingId":"BK-1"}\n' })
    expect(reportedError(done)).toMatchObject({ code: 'INCOMPLETE', details: { records: 1, code: 'REJECTED' } })
  })
})

test('a list that stops after one record reports "1 record" in the singular', async () => {
  const half = answers(200, '[{"id":"C-1"},{"i', { 'content-type': 'application/json' })
  for (const act of [answers(200, { items: [{ id: 'C-1' }], total: 2 }), half]) {
    const error = reportedError(await runAgainst([act], 'customers list --json'))
    expect(error).toMatchObject({ code: 'INCOMPLETE', message: expect.stringMatching(/after 1 record: /) })
  }
})
