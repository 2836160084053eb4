import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/base/failure/failure.ts'
import { formatReportJson } from '../../src/terminal/runtime/error-report.ts'
import { type Environment, freshHome, type Run, runPartner } from '../support/partner.ts'
import { answers, type RawRequest, sends, startRawServer } from '../support/raw-server.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { words } from '../support/words.ts'

const sandbox = await startSharedSandbox()

/** Text that a terminal would act on: a new title, a cleared screen, a carriage return, C1 codes and reversed text. */
const EVIL = '\u001b]0;pwned\u0007\u001b[2J\r\b\u009b31m\u202e\u2066\u200f\u2028'
const TERMINAL_CONTROLS =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/**
 * Starts a proxy for the sandbox. In each response, it appends {@link EVIL} to every string and adds a member with EVIL
 * in its name to every object.
 */
async function startSpoiledService(): Promise<Environment> {
  const ask = async ({ method, target, headers, body }: RawRequest) => {
    const { 'x-api-key': key = '', 'content-type': type = 'application/json' } = headers
    const sent = { method, headers: { 'x-api-key': key, 'content-type': type }, ...(method === 'GET' ? {} : { body }) }
    const reply = await fetch(`${sandbox.baseUrl}${target}`, sent)
    const text = await reply.text()
    return { status: reply.status, text: text === '' ? '' : JSON.stringify(spoil(JSON.parse(text))) }
  }
  const server = await startRawServer(() => async (socket, request) => {
    const { status, text } = await ask(request)
    answers(status, text, { 'content-type': 'application/json' })(socket, request)
  })
  return { ...freshHome(), ...sandbox.env, PARTNER_BASE_URL: server.baseUrl }
}

function spoil(value: unknown): unknown {
  if (typeof value === 'string') return value + EVIL
  if (Array.isArray(value)) return value.map(spoil)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, spoil(member)] as const)
  return Object.fromEntries([...members, [`more${EVIL}`, EVIL]])
}

function expectNoControls({ stdout, stderr }: Run, obeyed = TERMINAL_CONTROLS): void {
  expect(stdout).not.toMatch(obeyed)
  expect(stderr).not.toMatch(TERMINAL_CONTROLS)
}

/** Control characters that CSV and TSV output must not contain. Line breaks and tabs are allowed. */
const FILE_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const CARD = 'GIFT1-00000100-AAAA'
const READS: readonly (readonly string[])[] = [
  ['bookings', 'list', '--from', '-3d', '--to', '+3d', '--include-customer'],
  ['bookings', 'statuses'],
  ['bookings', 'schedule', '--date', 'tomorrow', '--people', '2'],
  ['bookings', 'tables', '--date', 'tomorrow'],
  ['giftcards', 'get', CARD],
  ['giftcards', 'list'],
  ['customers', 'list', '--limit', '5'],
  ['sales', 'list', '--from', '-7d'],
  ['webhooks', 'list'],
  ['profiles', 'check'],
]

describe('output without terminal control characters', () => {
  test.each(READS.map((args) => [args.join(' '), args] as const))(
    '%s prints no control characters',
    async (_name, args) => {
      const env = await startSpoiledService()
      const columns = args[0] === 'profiles' ? 'baseUrl,statuses' : 'bookingId,cardNumber,name,services,id,event'
      for (const more of [[], ['-o', 'csv'], ['-o', 'tsv'], ['-v', '--columns', columns]]) {
        const run = await runPartner([...args, ...more], { env })
        expectNoControls(run, more.includes('csv') || more.includes('tsv') ? FILE_CONTROLS : TERMINAL_CONTROLS)
        expect(run.code, run.stderr).toBe(0)
      }
    },
  )

  test('bookings get prints no control characters', async () => {
    const list = words('bookings list --from -3d --to +3d --json --limit 1')
    const { stdout } = await runPartner(list, { env: sandbox.env })
    const [{ bookingId }] = JSON.parse(stdout) as [{ bookingId: string }]
    const env = await startSpoiledService()
    for (const more of [[], ['-o', 'csv'], ['-v']]) {
      const run = await runPartner(['bookings', 'get', bookingId, ...more], { env })
      expectNoControls(run, more.includes('csv') ? FILE_CONTROLS : TERMINAL_CONTROLS)
      expect(run.stdout).toContain('pwned')
    }
  })

  test('write commands print no control characters from the response', async () => {
    const env = await startSpoiledService()
    for (const args of [
      ['giftcards', 'redeem', CARD, '--amount', '1'],
      ['bookings', 'create', '--people', '2', '--time', '2026-12-01 18:00'],
      ['webhooks', 'create', 'BOOKING_CREATED', 'https://till.example/hooks'],
    ]) {
      const run = await runPartner(args, { env })
      expectNoControls(run)
      expect(run.stdout + run.stderr).toContain('pwned')
    }
  })

  test.each([400, 404, 429, 500])(
    'an error with status %s is printed without control characters, as text and as JSON',
    async (status) => {
      const body = { message: `No.${EVIL}`, errors: { [`member${EVIL}`]: [`bad${EVIL}`] } }
      const server = await startRawServer([answers(status, body)])
      for (const more of [[], ['-v']]) {
        const run = await runPartner(['giftcards', 'get', CARD, '--retries', '0', ...more], { env: server.env })
        expectNoControls(run)
        expect(run.stderr).toContain('pwned')
      }
      const run = await runPartner(['giftcards', 'get', CARD, '--retries', '0', '--json'], { env: server.env })
      expectNoControls(run)
      expect(JSON.parse(run.stderr)).toMatchObject({ error: { message: expect.stringContaining(`No.${EVIL}`) } })
    },
  )

  test.each([
    ['a reason phrase', `HTTP/1.1 400 Bad${EVIL}\r\ncontent-length: 0\r\n\r\n`],
    ['a content type', `HTTP/1.1 400 Bad\r\ncontent-type: text/${EVIL}\r\ncontent-length: 1\r\n\r\nx`],
    [
      'the target of a redirect',
      `HTTP/1.1 302 Found\r\nlocation: https://a.example/${EVIL}\r\ncontent-length: 0\r\n\r\n`,
    ],
    ['a content encoding', `HTTP/1.1 200 OK\r\ncontent-encoding: ${EVIL}\r\ncontent-length: 2\r\n\r\n{}`],
    ['a response that is not HTTP', `220 mail ${EVIL}\r\n`],
  ])('partner prints no control characters from %s', async (_name, text) => {
    for (const bytes of [text, Buffer.from(text, 'utf8').toString('latin1')]) {
      const server = await startRawServer([sends(bytes)])
      const run = await runPartner(['giftcards', 'get', CARD, '--retries', '0', '-v'], { env: server.env })
      expectNoControls(run)
      expect(run.code).not.toBe(0)
    }
  })

  test('error messages print no control characters from the command line', async () => {
    for (const args of [
      ['bookings', 'get', EVIL],
      [`book${EVIL}`],
      ['bookings', 'list', `--${EVIL}`],
      ['giftcards', 'redeem', CARD, '--amount', EVIL],
      ['bookings', 'list', '--from', EVIL, '--json'],
    ])
      expectNoControls(await runPartner(args, { env: { ...freshHome(), ...sandbox.env } }))
  })
})

test('a JSON error escapes control characters and decodes to the original text', () => {
  const line = formatReportJson(new Failure('REJECTED', `No.${EVIL}`, { details: { answer: { [EVIL]: EVIL } } }), EVIL)
  expect(line).not.toMatch(TERMINAL_CONTROLS)
  const error = { message: `No.${EVIL}`, hint: EVIL, details: { answer: { [EVIL]: EVIL } } }
  expect(JSON.parse(line)).toMatchObject({ error })
})
