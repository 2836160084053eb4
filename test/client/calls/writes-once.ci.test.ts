import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import {
  type Act,
  answers,
  closes,
  freePort,
  hangs,
  RAW_KEY,
  type RawServer,
  redirectsTo,
  resets,
  startRawServer,
  truncated,
} from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const CARD_OBJECT = { cardNumber: CARD, amount: 100, remainingAmount: 100, status: 'Active' }

interface Write {
  readonly args: readonly string[]
  readonly request: string
  readonly done: Act
  /** Matches the command that partner suggests if the outcome of the write is unknown. */
  readonly check: RegExp
  /** The message that the specification documents for a 500 response to this write. */
  readonly documented500: string
  /** Whether the command accepts every response, even an unparsable one. */
  readonly anyAnswerWillDo?: boolean
}

const ON_CARDS = {
  check: /partner (giftcards get GIFT1-00000100-AAAA|operations resolve)/,
  documented500: 'Failed to retrieve card details.',
}

const WRITES: Readonly<Record<string, Write>> = {
  'giftcards redeem': {
    args: ['giftcards', 'redeem', CARD, '--amount', '5.00'],
    request: 'POST /GiftCards/redeem',
    done: answers(200, { cardNumber: CARD, amountRedeemed: 5, status: 'Active', isSuccess: true }),
    ...ON_CARDS,
  },
  'giftcards cancel': {
    args: ['giftcards', 'cancel', CARD, '--yes'],
    request: 'PATCH /GiftCards/cancel',
    done: answers(200, { cardNumber: CARD, status: 'Cancelled' }),
    ...ON_CARDS,
    anyAnswerWillDo: true,
  },
  'reservations create': {
    args: [
      ...words('reservations create --people 2 --service svc --section sec --first-name Ada --last-name Ng'),
      ...['--time', '2026-12-24 19:00', '--phone', '+61 400 000 000'],
    ],
    request: 'POST /Reservations',
    done: answers(201, { bookingId: 'BK-9', isSuccess: true }),
    check: /partner bookings list --updated-from/,
    documented500: 'An error occurred. Unable to create new reservation.',
  },
}

const NAMED_WRITES = Object.entries(WRITES).map(([name, write]) => ({ name, ...write }))

/** Starts a service that responds to every read with the card, and to the nth write with the nth item in `acts`. */
function service(acts: readonly Act[], options?: { readonly port: number }): Promise<RawServer> {
  return startRawServer((request, earlier) => {
    if (request.method === 'GET') return answers(200, CARD_OBJECT)
    const count = earlier.filter(({ method }) => method !== 'GET').length
    return acts[Math.min(count, acts.length - 1)] ?? hangs
  }, options)
}

function writesTo(server: RawServer): readonly string[] {
  return server.requests.filter(({ method }) => method !== 'GET').map(({ method, target }) => `${method} ${target}`)
}

const run = (args: readonly string[], server: RawServer, ...more: string[]) => server.run([...args, ...more])

const PAGE = ['<!doctype html><title>Bad gateway</title>', { 'content-type': 'text/html' }] as const
const limit = (ms: number) =>
  answers(429, { message: `You may only perform this action 1 times every ${ms} milliseconds` })

function envAt(port: number) {
  return { ...freshHome(), PARTNER_BASE_URL: `http://127.0.0.1:${port}`, PARTNER_API_KEY: RAW_KEY }
}

const LOST: Readonly<Record<string, Act>> = {
  'a reset connection': resets,
  'a closed connection': closes,
  'a truncated response': truncated(' '.repeat(100), 9),
  'a 408': answers(408),
  'a 500 with an undocumented message': answers(500, { message: 'Boom' }),
  'a 502': answers(502, ...PAGE),
  'a 503': answers(503, '', { 'retry-after': '0' }),
  'a 504': answers(504),
  'a web page with status 200': answers(200, ...PAGE),
}

const UNREADABLE: Readonly<Record<string, Act>> = {
  'an empty response': answers(200),
  'half a response': answers(200, '{"isSuccess":tr'),
  'a response that is a list': answers(200, [{ isSuccess: true }]),
}

describe.each(NAMED_WRITES)('$name', ({ name, args, request, done, check, documented500, anyAnswerWillDo }) => {
  const lost = Object.entries({ ...LOST, ...(anyAnswerWillDo ? {} : UNREADABLE) })
  test.each(lost)(
    `${name} is not retried after %s, but exits with code 9 and suggests a command that checks the outcome`,
    async (_name, act) => {
      const server = await service([act, done])
      await refused(run(args, server), 9, /not known/, check)
      expect(writesTo(server)).toEqual([request])
    },
  )

  test(`${name} is not retried if no response arrives within --timeout`, async () => {
    const server = await service([hangs, done])
    const result = await run(args, server, '--timeout', '2s', '--json')
    expect(reportedError(result)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(reportedError(result).hint).toMatch(check)
    expect(writesTo(server)).toEqual([request])
  })

  test.each([
    ['states the window of the rate limit', limit(100)],
    ['has a Retry-After header', answers(429, '', { 'retry-after': '0' })],
  ])(`${name} is retried after a 429 that %s`, async (_name, act) => {
    const server = await service([act, act, done])
    expect(await run(args, server)).toMatchObject({ code: 0 })
    expect(writesTo(server)).toEqual([request, request, request])
  })

  test(`${name} exits with code 7 and reports that nothing was applied if the service keeps responding with 429`, async () => {
    const server = await service([limit(50)])
    const error = reportedError(await run(args, server, '--retries', '1', '--json'))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', exitCode: 7, outcome: 'not-applied', attempts: 2 })
    expect(writesTo(server)).toHaveLength(2)
  })

  test(`${name} is retried until the service is listening`, async () => {
    const port = await freePort()
    const running = startPartner([...args, '-v', '--retries', '10'], { env: envAt(port) })
    await until(() => running.said.stderr.includes('attempt 1\n'))
    const server = await service([done], { port })
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(writesTo(server)).toEqual([request])
  })

  test(`${name} exits with code 8 and does not report an unknown outcome if the service is not listening`, async () => {
    const result = await runPartner([...args, '--retries', '0', '--json'], { env: envAt(await freePort()) })
    expect(reportedError(result)).toMatchObject({ code: 'NETWORK_ERROR', exitCode: 8 })
    expect(reportedError(result).outcome).not.toBe('unknown')
  })

  test(`${name} exits with code 8 and reports that nothing was applied if the service responds with the documented 500`, async () => {
    const server = await service([answers(500, { message: documented500 })])
    const result = await run(args, server, '--json')
    expect(reportedError(result)).toMatchObject({ exitCode: 8, message: documented500, outcome: 'not-applied' })
    expect(writesTo(server)).toEqual([request])
  })

  test.each([
    [400, 'Something is wrong.', 5],
    [401, 'Unauthorized', 4],
    [404, 'Not here.', 3],
    [409, 'Already there.', 6],
  ])(`${name} is not retried after a %s`, async (status, message, code) => {
    const server = await service([answers(status, { message })])
    expectRefusal(await run(args, server), { code, says: message })
    expect(writesTo(server)).toEqual([request])
  })

  test(`${name} exits with code 5 instead of following a redirect`, async () => {
    const elsewhere = await startRawServer([done])
    const server = await service([redirectsTo(elsewhere.baseUrl)])
    expectRefusal(await run(args, server), { code: 5, says: `redirects to ${elsewhere.baseUrl}` })
    expect([writesTo(server), elsewhere.connections]).toEqual([[request], 0])
  })

  test(`${name} --dry-run shows the request with a masked key and sends no write`, async () => {
    const server = await service([done])
    const result = await run(args, server, '--dry-run')
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('••••3a9c') })
    expect(result.stdout).toMatch(new RegExp(`^${request.replace(' ', ` ${server.baseUrl}`)}\\n`))
    expect(result.stdout + result.stderr).not.toContain(RAW_KEY)
    expect(writesTo(server)).toEqual([])
  })
})

const SPENT = { isSuccess: false, errorMessage: 'The card is spent.' }

describe.each([
  ['giftcards redeem', answers(200, { ...SPENT, status: 'Error', amountRedeemed: 0 })],
  ['reservations create', answers(201, SPENT)],
])('%s with a response that contains isSuccess: false', (name, act) => {
  const { args = [], request } = WRITES[name] ?? {}

  test(`${name} exits with code 10 and prints only the service's message if the response contains isSuccess: false`, async () => {
    const server = await service([act])
    expectRefusal(await run(args, server), { code: 10, says: 'error: The card is spent.', next: /nothing was changed/ })
    expect(writesTo(server)).toEqual([request])
  })

  test(`${name} --json includes a response that contains isSuccess: false in the error`, async () => {
    const result = await run(args, await service([act]), '--json')
    expect(result.stdout).toBe('')
    const told = { code: 'BUSINESS_FAILURE', outcome: 'not-applied', details: { answer: SPENT } }
    expect(reportedError(result)).toMatchObject(told)
  })
})

test('giftcards redeem exits with code 9 if the response does not say whether it succeeded', async () => {
  const server = await service([answers(200, { cardNumber: CARD })])
  await refused(run(WRITES['giftcards redeem']?.args ?? [], server), 9, /not known/, /partner /)
  expect(writesTo(server)).toHaveLength(1)
})

test('giftcards cancel exits with code 0 and prints "changed": false after a 304', async () => {
  const result = await run(['giftcards', 'cancel', CARD, '--yes', '--json'], await service([answers(304)]))
  expect(result).toMatchObject({ code: 0, stdout: `{"cardNumber":"${CARD}","status":"Cancelled","changed":false}\n` })
})

test('giftcards redeem sends the amount exactly as typed, together with the values of the other flags', async () => {
  const server = await service([answers(200, { isSuccess: true, amountRedeemed: 9_999_999.9 })])
  const more = ['--amount', '9999999.90', '--email', 'a@b.example', '--notes', 'É 🍷']
  expect(await run(['giftcards', 'redeem', ` ${CARD.toLowerCase()} `, ...more], server)).toMatchObject({ code: 0 })
  const sent = server.requests.find(({ method }) => method === 'POST')
  expect(sent?.body).toContain('"amount":9999999.90')
  const told = { cardNumber: CARD, amount: 9999999.9, issuedToEmail: 'a@b.example', notes: 'É 🍷' }
  expect(JSON.parse(sent?.body ?? '')).toEqual(told)
  expect(sent?.headers).toMatchObject({ 'x-api-key': RAW_KEY, 'content-type': 'application/json' })
})
