import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { type Act, answers, hangs, RAW_KEY, redirectsTo, resets, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'

const GET = ['giftcards', 'get', 'GIFT1-00000100-AAAA', '--retries', '0']
const PATH = '/GiftCards/GIFT1-00000100-AAAA'

/** What a program reads for each kind of failure of a read. */
const FAILURES: readonly {
  what: string
  act: Act
  more?: readonly string[]
  error: Readonly<Record<string, unknown>>
}[] = [
  {
    what: 'a wrong key',
    act: answers(401, { message: 'Unauthorized' }),
    error: { code: 'UNAUTHORIZED', exitCode: 4, message: 'Unauthorized', status: 401 },
  },
  {
    what: 'an unknown app',
    act: answers(400, { message: 'loggedInAppId is required' }),
    error: { code: 'UNKNOWN_APP', exitCode: 4, status: 400 },
  },
  {
    what: 'an unlinked venue',
    act: answers(400, { message: 'No Venue Subscribed to your App.' }),
    error: { code: 'VENUE_NOT_LINKED', exitCode: 4, status: 400 },
  },
  {
    what: 'a 404',
    act: answers(404, { message: 'No.' }),
    error: { code: 'NOT_FOUND', exitCode: 3, message: 'No.', status: 404 },
  },
  { what: 'a 400', act: answers(400, { message: 'No.' }), error: { code: 'REJECTED', exitCode: 5, status: 400 } },
  {
    what: 'a redirect',
    act: redirectsTo('https://else.example/'),
    error: { code: 'REJECTED', exitCode: 5, status: 307 },
  },
  { what: 'a 409', act: answers(409, { message: 'No.' }), error: { code: 'CONFLICT', exitCode: 6, status: 409 } },
  { what: 'a 429', act: answers(429, { message: 'No.' }), error: { code: 'RATE_LIMITED', exitCode: 7, status: 429 } },
  { what: 'a 500', act: answers(500, { message: 'No.' }), error: { code: 'SERVICE_ERROR', exitCode: 8, status: 500 } },
  {
    what: 'a body that is no JSON',
    act: answers(200, '<p>'),
    error: { code: 'SERVICE_ERROR', exitCode: 8, status: 200 },
  },
  { what: 'a reset', act: resets, error: { code: 'NETWORK_ERROR', exitCode: 8 } },
  { what: 'no answer', act: hangs, more: ['--timeout', '200ms'], error: { code: 'TIMEOUT', exitCode: 8 } },
]

describe.each(['--json', '-o=json', '--output=ndjson'])('with %s', (format) => {
  test.each(FAILURES)('$what is one JSON object on stderr, and stdout is empty', async ({ act, more = [], error }) => {
    const server = await startRawServer([act])
    const run = await server.run([...GET, ...more, format])
    expect(run.stdout).toBe('')
    expect(run.stderr).toMatch(/^\{.*\}\n$/)
    expect(run.stderr).not.toContain(RAW_KEY)
    expect(reportedError(run)).toMatchObject({ ...error, method: 'GET', path: PATH, attempts: 1, outcome: 'none' })
    expect(reportedError(run).hint).toMatch(/\S/)
  })
})

test.each([
  [['bokings', 'list', '--json'], 'did you mean'],
  [['--json'], 'no command is given'],
  [['bookings', 'list', '--form', 'x', '--json'], 'unknown flag --form'],
  [['bookings', 'list', '--to', 'today', '-o', 'json'], '--to needs --from'],
  [['bookings', 'get', '--output=ndjson'], 'missing argument ID'],
])('a command line that makes no sense is JSON too: %j', async (args, says) => {
  const run = await runPartner(args)
  expect(run.stdout).toBe('')
  expect(reportedError(run)).toMatchObject({ code: 'USAGE', exitCode: 2, outcome: 'none' })
  expect(reportedError(run).message).toContain(says)
})

test('PARTNER_OUTPUT=json makes errors JSON, and -o table makes them text again', async () => {
  const env = { PARTNER_OUTPUT: 'json' }
  expect(reportedError(await runPartner(['bookings', 'list', '--to', 'today'], { env })).code).toBe('USAGE')
  expect((await runPartner(['bookings', 'list', '-o', 'table'], { env })).stderr).toMatch(/^error: /)
})

test('several problems are a list for a program', async () => {
  const error = reportedError(
    await runPartner(['reservations', 'create', '--json'], {
      env: { PARTNER_BASE_URL: 'http://127.0.0.1:9', PARTNER_API_KEY: 'k' },
    }),
  )
  expect(error.details).toEqual({ problems: expect.arrayContaining(['--people is required', '--service is required']) })
})

test("the service's own answer is there, digit for digit", async () => {
  const server = await startRawServer([
    answers(400, '{"message":"No.","limit":1.50}', { 'content-type': 'application/json' }),
  ])
  const run = await runPartner([...GET, '--json'], { env: server.env })
  expect(run.stderr).toContain('"limit":1.50')
})

test('text of the service that could drive a terminal is escaped, in lines and in JSON', async () => {
  const message = 'a\u001b]0;title\u0007\u001b[31mred\u202Ecod.exe\r\u0008x'
  const server = await startRawServer([answers(404, { message })])
  const lines = await runPartner([...GET, '-v'], { env: { ...server.env, FORCE_COLOR: '' } })
  const json = await runPartner([...GET, '--json'], { env: server.env })
  for (const { stderr } of [lines, json])
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(reportedError(json).message).toBe(message)
})
