import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { answers, resets, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const TIME = ['--time', '2026-12-24 19:00']
const SALE = words('sales create --sale-id S-1 --staff-id a --seats 2 --booking-id BK-1')
/** A map that has no table 9. */
const MAP = join(ROOT, 'test', 'support', 'table-map.csv')
const IN_UTC = ['--time-utc', '2026-12-24T08:00:00Z']
const EXPLAIN = words('reservations explain --service s --section s --first-name Ada --last-name Ng --phone +61400')
const RESERVE = [
  ...words('reservations create --people 2 --service s --section s --first-name Ada --last-name Ng --phone +61400'),
  ...TIME,
]
const INBOUND = {
  PARTNER_SIGNING_SECRET: 'signing-secret-1234',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Sig',
  PARTNER_LOCATION_ID: 'loc-1',
}

/** What is read before a write; a booking in it has no time. */
const ANSWER = {
  remainingAmount: 100,
  status: 'Active',
  bookingId: 'BK-1',
  event: 'X',
  webhookUrl: 'https://a.example',
}

interface Case {
  readonly args: readonly string[]
  /** What is refused without the flag. */
  readonly says: RegExp
  /** What goes out with it: a path, or members of a body. */
  readonly path?: string
  readonly body?: unknown
  /** What goes out digit for digit. */
  readonly text?: string
}

/** One line for each local check of a value that a command makes. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'bookings create': [
    { args: [...words('bookings create --people two'), ...TIME], says: /--people/, body: { numOfPeople: 'two' } },
    { args: [...words('bookings create --people 0'), ...TIME], says: /--people/, body: { numOfPeople: 0 } },
    {
      args: words('bookings create --people 2 --time-utc soonish'),
      says: /--time-utc/,
      body: { bookingTimeAsUtc: 'soonish' },
    },
    { args: words('bookings create --people 2 --time soonish'), says: /--time/, body: { time: 'soonish' } },
    { args: words('bookings create --people 2'), says: /--time or --time-utc/, body: { numOfPeople: 2 } },
    {
      args: [...words('bookings create --people 2 --link Menu --duration long'), ...TIME],
      says: /--link[\s\S]*--duration/,
      body: { links: [{ linkName: '', linkURL: 'Menu' }], duration: 'long' },
    },
  ],
  'reservations create': [
    { args: [...RESERVE, '--link', 'Menu'], says: /--link/, body: { links: [{ linkName: '', linkURL: 'Menu' }] } },
    { args: [...RESERVE, '--time-utc', 'soonish'], says: /--time-utc/, body: { bookingTimeAsUtc: 'soonish' } },
    { args: [...RESERVE.slice(0, -1), 'soonish'], says: /--time/, body: { time: 'soonish' } },
    { args: words('reservations create --people -1'), says: /--service/, body: { numOfPeople: -1 } },
  ],
  // It answers itself what the service would say to that, and sends only reads.
  'reservations explain': [
    { args: [...EXPLAIN, '--link', 'Menu', '--time', 'soonish'], says: /--link[\s\S]*--time|--time[\s\S]*--link/ },
    { args: [...EXPLAIN, '--people', '-1', ...IN_UTC], says: /--people/ },
  ],
  'bookings update': [
    { args: [...words('bookings update BK-1 --people 0'), ...TIME], says: /--people/, body: { numOfPeople: 0 } },
    { args: words('bookings update BK-1 --time soonish'), says: /--time/, body: { time: 'soonish' } },
    {
      args: [...words('bookings update BK-1 --link Menu'), ...TIME],
      says: /--link/,
      body: { links: [{ linkURL: 'Menu' }] },
    },
    // The booking that is read has no time that can be sent again.
    { args: words('bookings update BK-1 --people 2'), says: /no time/, body: { numOfPeople: 2, bookingId: 'BK-1' } },
  ],
  'bookings update-pax': [
    { args: words('bookings update-pax BK-1 0'), says: /PEOPLE/, body: { pax: 0 } },
    { args: words('bookings update-pax BK-1 2.5'), says: /PEOPLE/, body: { pax: 2.5 } },
    { args: words('bookings update-pax BK-1 many'), says: /PEOPLE/, body: { pax: 'many' } },
  ],
  'bookings update-status': [
    { args: words('bookings update-status BK-1 NOPE'), says: /not a status/, body: { status: 'NOPE' } },
    { args: ['bookings', 'update-status', 'BK-1', ''], says: /CODE/, body: { status: '' } },
  ],
  'bookings update-tables': [
    {
      args: words('bookings update-tables BK-1 --table /T4'),
      says: /SECTION\/NAME/,
      body: { tables: [{ section: '', name: 'T4' }] },
    },
    {
      args: words('bookings update-tables BK-1 --table Bar/B1 --table Bar/B1'),
      says: /twice/,
      body: {
        tables: [
          { section: 'Bar', name: 'B1' },
          { section: 'Bar', name: 'B1' },
        ],
      },
    },
    { args: words('bookings update-tables BK-1'), says: /--table/, body: {} },
  ],
  'giftcards get': [{ args: words('giftcards get gift-1'), says: /not a gift card number/, path: '/GiftCards/gift-1' }],
  'giftcards redeem': [
    {
      args: words('giftcards redeem gift-1 --amount 25'),
      says: /not a gift card number/,
      body: { cardNumber: 'gift-1', amount: 25 },
    },
    {
      args: ['giftcards', 'redeem', ` ${CARD.toLowerCase()} `, '--amount', '0'],
      says: /above 0/,
      body: { cardNumber: ` ${CARD.toLowerCase()} `, amount: 0 },
    },
    ...['-5', '25.125', '1e2', '12345678.99', '25.000', '99999999999999999999999.5'].map((amount) => ({
      args: ['giftcards', 'redeem', CARD, `--amount=${amount}`],
      says: /--amount must be digits/,
      text: `"amount":${amount}`,
    })),
  ],
  'giftcards cancel': [
    { args: words('giftcards cancel gift-1 --yes'), says: /not a gift card number/, body: { cardNumber: 'gift-1' } },
  ],
  'inbound balance': [
    { args: words('inbound balance gift-1'), says: /not a gift card number/, body: { cardNumber: 'gift-1' } },
  ],
  'inbound redeem': [
    {
      args: words('inbound redeem gift-1 --amount -5.125'),
      says: /not a gift card number[\s\S]*--amount/,
      body: { cardNumber: 'gift-1', amount: -5.125 },
    },
  ],
  'inbound event': [{ args: words('inbound event sale.closed --data oops'), says: /--data is not JSON/, text: 'oops' }],
  'inbound send': [
    { args: words('inbound send /partners/pos/x --data oops'), says: /--data is not JSON/, text: 'oops' },
    { args: words('inbound send /partners/pos/x'), says: /--data is required/, text: '' },
  ],
  'sales create': [
    { args: [...SALE, '--type', 'GIFT'], says: /--type/, body: { type: 'GIFT' } },
    {
      args: [...words('sales create --sale-id S-1 --staff-id a --seats 2 --table-number 9 --table-map'), MAP],
      says: /--table-number: .* has no table "9"/,
      body: { table: { seats: 2, number: '9' } },
    },
    { args: [...SALE, '--opened', 'soonish'], says: /--opened/, body: { openedZonedDateTime: 'soonish' } },
    { args: [...SALE, '--closed', 'soonish'], says: /--closed/, body: { closedZonedDateTime: 'soonish' } },
    { args: [...SALE, '--opened', 'now', '--closed', '-1h'], says: /is after/, body: {} },
    {
      args: words('sales create --sale-id S-1 --staff-id a --seats two'),
      says: /--seats/,
      body: { table: { seats: 'two' } },
    },
    {
      args: [...SALE, '--total-cents', '12.5', '--currency', 'dollars'],
      says: /--total-cents[\s\S]*--currency/,
      body: { total: { currency: 'dollars' } },
    },
    { args: [...SALE, '--total-cents', '125'], says: /--currency is required/, body: { total: { amount: 125 } } },
    { args: words('sales create --seats 2'), says: /--sale-id/, body: { table: { seats: 2 } } },
  ],
  'webhooks create': [
    {
      args: words('webhooks create NOPE ftp://x'),
      says: /NOPE[\s\S]*URL/,
      body: { event: 'NOPE', webhookUrl: 'ftp://x' },
    },
  ],
  'webhooks update': [
    {
      args: words('webhooks update NOPE ftp://x'),
      says: /NOPE[\s\S]*URL/,
      path: '/Webhooks/NOPE',
      body: { webhookUrl: 'ftp://x' },
    },
  ],
  'webhooks get': [{ args: words('webhooks get NOPE'), says: /NOPE/, path: '/Webhooks/NOPE' }],
  'webhooks delete': [{ args: words('webhooks delete NOPE --yes'), says: /NOPE/, path: '/Webhooks/NOPE' }],
  api: [{ args: words('api POST /x --data oops'), says: /--data is not JSON/, text: 'oops' }],
}

/** Runs a command line, and gives the last request that came, which is the one that it is about. */
async function sent(args: readonly string[]) {
  const server = await startRawServer((request) =>
    request.target.endsWith('/booking-statuses')
      ? answers(200, [{ code: 'SEATED', name: 'Seated' }])
      : request.method === 'GET' || request.target.endsWith('/balance')
        ? answers(200, ANSWER)
        : answers(400, { message: 'refused' }),
  )
  const run = await server.run([...args, '--retries', '0'], { env: INBOUND })
  const isRead = server.requests.every(({ method }) => method === 'GET')
  return { run, last: server.requests.at(-1), isRead }
}

describe.each(Object.entries(CASES))('%s', (_command, cases) => {
  test.each(cases)('checks $says, and sends it with --no-validate', async ({ args, says, path, body, text }) => {
    const refused = await sent(args)
    expectRefusal(refused.run, { code: 2, says })
    expect(refused.isRead).toBe(true)
    const { run, last } = await sent([...args, '--no-validate'])
    expect(run.stderr).not.toContain('error: --')
    expect([0, 5]).toContain(run.code)
    if (path !== undefined) expect(last?.target).toBe(path)
    if (body !== undefined) expect(JSON.parse(last?.body ?? '')).toMatchObject(body as object)
    if (text !== undefined) expect(last?.body).toContain(text)
  })
})

test('every command that takes --no-validate stands here', () => {
  const { commands } = JSON.parse(readFileSync(join(ROOT, '.oclif.manifest.json'), 'utf8'))
  const taking = Object.entries<{ flags?: object }>(commands)
    .filter(([, { flags = {} }]) => 'no-validate' in flags)
    .map(([id]) => id.replaceAll(':', ' '))
  // Files are checked line by line: test/commands/sales/import, test/commands/webhooks/apply. Lists have a test of their own, below.
  const lists = ['bookings list', 'customers list', 'giftcards list']
  expect(taking.sort()).toEqual([...Object.keys(CASES), ...lists, 'sales import', 'webhooks apply'].sort())
})

test('what cannot be put into JSON or a path is refused all the same', async () => {
  for (const amount of ['abc', '.5', '5.', '007', '+5', '1,000', '', 'NaN', 'Infinity', '0x10'])
    expectRefusal((await sent(['giftcards', 'redeem', CARD, `--amount=${amount}`, '--no-validate'])).run, {
      code: 2,
      says: /--amount/,
    })
  for (const args of [words('giftcards get a/b'), words('bookings update-pax ../x 2'), words('webhooks get a?b')])
    expectRefusal((await sent([...args, '--no-validate'])).run, { code: 2, says: 'is not an ID' })
})

test('a card that is typed in another form is the same card for a redeem that is still open', async () => {
  const server = await startRawServer(({ method }) =>
    method === 'POST' ? resets : answers(200, { cardNumber: CARD, remainingAmount: 100, status: 'Active' }),
  )
  const env = { ...freshHome(), ...server.env }
  const redeem = (card: string, ...more: string[]) =>
    runPartner(['giftcards', 'redeem', card, '--retries', '0', ...more], { env })
  const posts = () => server.requests.filter(({ method }) => method === 'POST').length
  expect(await redeem(CARD, '--amount', '25')).toMatchObject({ code: 9 })
  const again = await redeem(` ${CARD.toLowerCase()}`, '--amount', '25.00', '--no-validate')
  expectRefusal(again, { code: 9, says: CARD, next: /operations resolve/ })
  expect(posts()).toBe(1)
  // An amount that is no whole number of cents cannot be told by the balance.
  const odd = await redeem(CARD, '--amount', '25.125', '--no-validate')
  expectRefusal(odd, { code: 9, says: 'no whole number of cents', next: /operations resolve/ })
  expectRefusal(await redeem(CARD, '--amount', '30.5001', '--no-validate'), { code: 9, says: CARD })
  expect(posts()).toBe(2)
})

test('a credential is never taken from the command line', async () => {
  const args = words('webhooks create BOOKING_CREATED https://a.example --security-key hunter2 --no-validate')
  expectRefusal((await sent(args)).run, { code: 2, says: 'not the secret itself', secrets: ['hunter2'] })
})

describe('lists send what they cannot read as it was typed', () => {
  test.each([
    ['customers list --sort newest', '--sort', 'Sort=newest'],
    ['customers list --updated-from someday', '--updated-from', 'DateUpdatedStart=someday'],
    ['giftcards list --issued-from 2020-13-01 --issued-to x', '--issued-from', 'IssueDateUtcStart=2020-13-01'],
    ['bookings list --from 2020-13-01 --updated-from 2020-01-01', '--from', 'StartDate=2020-13-01'],
  ])('%s', async (line, flag, sent) => {
    const server = await startRawServer([answers(200, [])])
    const env = { ...freshHome(), ...server.env }
    expectRefusal(await runPartner(words(line), { env }), { code: 2, says: flag })
    expect(server.requests).toEqual([])
    expect(await runPartner([...words(line), '--no-validate', '--json'], { env })).toMatchObject({ code: 0 })
    expect(server.requests[0]?.target).toContain(sent)
  })

  test('and valid values as without the flag', async () => {
    const server = await startRawServer([answers(200, [])])
    const env = { ...freshHome(), ...server.env }
    for (const more of [[], ['--no-validate']])
      await runPartner(
        [...words('customers list --updated-from 2026-01-01T10:00:00Z --sort asc --updated-to 2026-01-02'), ...more],
        { env },
      )
    const [plain, unchecked] = server.requests
    expect(unchecked?.target).toBe(plain?.target)
  })

  test('partner help flags lists it', async () => {
    expect((await runPartner(['help', 'flags'])).stdout).toContain('--no-validate')
  })
})
