import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { type Act, answers, hangs, RAW_KEY, redirectsTo, resets, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'

const GET = ['giftcards', 'get', 'GIFT1-00000100-AAAA', '--retries', '0']
const NO_VENUE = 'No Venue Subscribed to your App.'
const PATH = '/GiftCards/GIFT1-00000100-AAAA'

type Failing = readonly [what: string, act: Act, error: Readonly<Record<string, unknown>>, ...more: string[]]

const says = (status: number, message: string) => answers(status, { message })

/** Every way in which a read request can fail, with the resulting JSON error. */
const FAILURES: readonly Failing[] = [
  ['a wrong key', says(401, 'Nope'), { code: 'UNAUTHORIZED', exitCode: 4, message: 'Nope', status: 401 }],
  ['an unknown app', says(400, 'loggedInAppId is required'), { code: 'UNKNOWN_APP', exitCode: 4, status: 400 }],
  ['an unlinked venue', says(400, NO_VENUE), { code: 'VENUE_NOT_LINKED', exitCode: 4, status: 400 }],
  ['a 404', says(404, 'No.'), { code: 'NOT_FOUND', exitCode: 3, message: 'No.', status: 404 }],
  ['a 400', says(400, 'No.'), { code: 'REJECTED', exitCode: 5, status: 400 }],
  ['a redirect', redirectsTo('https://else.example/'), { code: 'REJECTED', exitCode: 5, status: 307 }],
  ['a 409', says(409, 'No.'), { code: 'CONFLICT', exitCode: 6, status: 409 }],
  ['a 429', says(429, 'No.'), { code: 'RATE_LIMITED', exitCode: 7, status: 429 }],
  ['a 500', says(500, 'No.'), { code: 'SERVICE_ERROR', exitCode: 8, status: 500 }],
  ['a body that is not JSON', answers(200, '<p>'), { code: 'SERVICE_ERROR', exitCode: 8, status: 200 }],
  ['a reset', resets, { code: 'NETWORK_ERROR', exitCode: 8 }],
  ['no response', hangs, { code: 'TIMEOUT', exitCode: 8 }, '--timeout', '200ms'],
]

describe.each(['--json', '-o=json', '--output=ndjson'])('JSON errors with %s', (format) => {
  test.for(FAILURES)(`${format} reports %s as one JSON object on stderr`, async ([, act, error, ...more]) => {
    const server = await startRawServer([act])
    const run = await server.run([...GET, ...more, format])
    expect(run).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^\{.*\}\n$/) })
    expect(run.stderr).not.toContain(RAW_KEY)
    expect(reportedError(run)).toMatchObject({ ...error, method: 'GET', path: PATH, attempts: 1, outcome: 'none' })
    expect(reportedError(run).hint).toMatch(/\S/)
  })
})

test.each([
  [['bokings', 'list', '--json'], 'did you mean'],
  [['--json'], 'no command was given'],
  [['bookings', 'list', '--form', 'x', '--json'], 'unknown flag --form'],
  [['bookings', 'list', '--to', 'today', '-o', 'json'], '--to needs --from'],
  [['bookings', 'get', '--output=ndjson'], 'missing argument ID'],
])('partner reports an invalid command line as JSON: %j', async (args, says) => {
  const run = await runPartner(args)
  expect(run.stdout).toBe('')
  expect(reportedError(run)).toMatchObject({ code: 'USAGE', exitCode: 2, outcome: 'none' })
  expect(reportedError(run).message).toContain(says)
})

test('PARTNER_OUTPUT=json prints errors as JSON unless -o table is given', async () => {
  const env = { PARTNER_OUTPUT: 'json' }
  expect(reportedError(await runPartner(['bookings', 'list', '--to', 'today'], { env })).code).toBe('USAGE')
  expect((await runPartner(['bookings', 'list', '-o', 'table'], { env })).stderr).toMatch(/^error: /)
})

test('if there are several problems, a JSON error lists all of them in its details', async () => {
  const env = { PARTNER_BASE_URL: 'http://127.0.0.1:9', PARTNER_API_KEY: 'k' }
  const error = reportedError(await runPartner(['reservations', 'create', '--json'], { env }))
  expect(error.details).toEqual({ problems: expect.arrayContaining(['--people is required', '--service is required']) })
})

test("a JSON error contains the service's response and keeps all digits of its numbers", async () => {
  const refuses = answers(400, '{"message":"No.","limit":1.50}', { 'content-type': 'application/json' })
  const server = await startRawServer([refuses])
  expect((await runPartner([...GET, '--json'], { env: server.env })).stderr).toContain('"limit":1.50')
})

test("text and JSON errors escape control characters in the service's messages", async () => {
  const message = 'a\u001b]0;title\u0007\u001b[31mred\u202Ecod.exe\r\u0008x'
  const server = await startRawServer([answers(404, { message })])
  const lines = await runPartner([...GET, '-v'], { env: { ...server.env, FORCE_COLOR: '' } })
  const json = await runPartner([...GET, '--json'], { env: server.env })
  for (const { stderr } of [lines, json])
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(reportedError(json).message).toBe(message)
})
