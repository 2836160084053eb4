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
const DOLLARS = words('--total-cents 12.5 --currency dollars')
/** A table map that does not contain table 9. */
const MAP = join(ROOT, 'test', 'support', 'table-map.csv')
const IN_UTC = ['--time-utc', '2026-12-24T08:00:00Z']
const GUEST = words('--service s --section s --first-name Ada --last-name Ng --phone +61400')
const RESERVE = [...words('reservations create --people 2'), ...GUEST, ...TIME]
const EXPLAIN = [...words('reservations explain'), ...GUEST]
const INBOUND = {
  PARTNER_SIGNING_SECRET: 'signing-secret-1234',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Sig',
  PARTNER_LOCATION_ID: 'loc-1',
}

/** The response to every read request, whether for a card, a booking or a webhook. The booking has no time. */
const ANSWER = { remainingAmount: 100, status: 'Active', bookingId: 'BK-1', event: 'X', webhookUrl: 'https://a.test' }

const GIFT_1 = { cardNumber: 'gift-1' }
const BAR_1 = { section: 'Bar', name: 'B1' }
const LOWER_CARD = ` ${CARD.toLowerCase()} `

/**
 * A command line, the resulting error message, and the request that `--no-validate` sends instead. The request is
 * identified by its path, by some members of its body, or by some text in its body.
 */
type Case = readonly [
  line: string | readonly string[],
  says: RegExp,
  sent?: { readonly path?: string; readonly body?: object; readonly text?: string },
]

/** Invalid command lines for each command. Together, they cover every value that the command checks locally. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'bookings create': [
    [[...words('bookings create --people two'), ...TIME], /--people/, { body: { numOfPeople: 'two' } }],
    [[...words('bookings create --people 0'), ...TIME], /--people/, { body: { numOfPeople: 0 } }],
    ['bookings create --people 2 --time-utc soonish', /--time-utc/, { body: { bookingTimeAsUtc: 'soonish' } }],
    ['bookings create --people 2 --time soonish', /--time/, { body: { time: 'soonish' } }],
    ['bookings create --people 2', /--time or --time-utc/, { body: { numOfPeople: 2 } }],
    [
      [...words('bookings create --people 2 --link Menu --duration long'), ...TIME],
      /--link[\s\S]*--duration/,
      { body: { links: [{ linkName: '', linkURL: 'Menu' }], duration: 'long' } },
    ],
  ],
  'reservations create': [
    [[...RESERVE, '--link', 'Menu'], /--link/, { body: { links: [{ linkName: '', linkURL: 'Menu' }] } }],
    [[...RESERVE, '--time-utc', 'soonish'], /--time-utc/, { body: { bookingTimeAsUtc: 'soonish' } }],
    [[...RESERVE.slice(0, -1), 'soonish'], /--time/, { body: { time: 'soonish' } }],
    ['reservations create --people -1', /--service/, { body: { numOfPeople: -1 } }],
  ],
  // This command does not write, so it sends no request that can be checked.
  'reservations explain': [
    [[...EXPLAIN, '--link', 'Menu', '--time', 'soonish'], /--link[\s\S]*--time|--time[\s\S]*--link/],
    [[...EXPLAIN, '--people', '-1', ...IN_UTC], /--people/],
  ],
  'bookings update': [
    [[...words('bookings update BK-1 --people 0'), ...TIME], /--people/, { body: { numOfPeople: 0 } }],
    ['bookings update BK-1 --time soonish', /--time/, { body: { time: 'soonish' } }],
    [[...words('bookings update BK-1 --link Menu'), ...TIME], /--link/, { body: { links: [{ linkURL: 'Menu' }] } }],
    // The command must send the booking's time, but the service returns a booking without one.
    ['bookings update BK-1 --people 2', /no valid time/, { body: { numOfPeople: 2, bookingId: 'BK-1' } }],
  ],
  'bookings update-pax': [
    ['bookings update-pax BK-1 0', /PEOPLE/, { body: { pax: 0 } }],
    ['bookings update-pax BK-1 2.5', /PEOPLE/, { body: { pax: 2.5 } }],
    ['bookings update-pax BK-1 many', /PEOPLE/, { body: { pax: 'many' } }],
  ],
  'bookings update-status': [
    ['bookings update-status BK-1 NOPE', /not a status/, { body: { status: 'NOPE' } }],
    [['bookings', 'update-status', 'BK-1', ''], /CODE/, { body: { status: '' } }],
  ],
  'bookings update-tables': [
    ['bookings update-tables BK-1 --table /T4', /SECTION\/NAME/, { body: { tables: [{ section: '', name: 'T4' }] } }],
    ['bookings update-tables BK-1 --table Bar/B1 --table Bar/B1', /twice/, { body: { tables: [BAR_1, BAR_1] } }],
    ['bookings update-tables BK-1', /--table/, { body: {} }],
  ],
  'giftcards get': [['giftcards get gift-1', /not a gift card number/, { path: '/GiftCards/gift-1' }]],
  'giftcards redeem': [
    ['giftcards redeem gift-1 --amount 25', /not a gift card number/, { body: { cardNumber: 'gift-1', amount: 25 } }],
    [['giftcards', 'redeem', LOWER_CARD, '--amount', '0'], /above 0/, { body: { cardNumber: LOWER_CARD, amount: 0 } }],
    ...['-5', '25.125', '1e2', '12345678.99', '25.000', '99999999999999999999999.5'].map((amount): Case => {
      const line = ['giftcards', 'redeem', CARD, `--amount=${amount}`]
      return [line, /--amount must be a number of at most/, { text: `"amount":${amount}` }]
    }),
  ],
  'giftcards cancel': [['giftcards cancel gift-1 --yes', /not a gift card number/, { body: GIFT_1 }]],
  'inbound balance': [['inbound balance gift-1', /not a gift card number/, { body: GIFT_1 }]],
  'inbound redeem': [
    ['inbound redeem gift-1 --amount -5.125', /card number[\s\S]*--amount/, { body: { ...GIFT_1, amount: -5.125 } }],
  ],
  'inbound event': [['inbound event sale.closed --data oops', /--data is not JSON/, { text: 'oops' }]],
  'inbound send': [
    ['inbound send /partners/pos/x --data oops', /--data is not JSON/, { text: 'oops' }],
    ['inbound send /partners/pos/x', /--data is required/, { text: '' }],
  ],
  'sales create': [
    [[...SALE, '--type', 'GIFT'], /--type/, { body: { type: 'GIFT' } }],
    [
      [...words('sales create --sale-id S-1 --staff-id a --seats 2 --table-number 9 --table-map'), MAP],
      /--table-number: .* has no table "9"/,
      { body: { table: { seats: 2, number: '9' } } },
    ],
    [[...SALE, '--opened', 'soonish'], /--opened/, { body: { openedZonedDateTime: 'soonish' } }],
    [[...SALE, '--closed', 'soonish'], /--closed/, { body: { closedZonedDateTime: 'soonish' } }],
    [[...SALE, '--opened', 'now', '--closed', '-1h'], /is after/, { body: {} }],
    ['sales create --sale-id S-1 --staff-id a --seats two', /--seats/, { body: { table: { seats: 'two' } } }],
    [[...SALE, ...DOLLARS], /--total-cents[\s\S]*--currency/, { body: { total: { currency: 'dollars' } } }],
    [[...SALE, '--total-cents', '125'], /--currency is required/, { body: { total: { amount: 125 } } }],
    ['sales create --seats 2', /--sale-id/, { body: { table: { seats: 2 } } }],
  ],
  'webhooks create': [
    ['webhooks create NOPE ftp://x', /NOPE[\s\S]*URL/, { body: { event: 'NOPE', webhookUrl: 'ftp://x' } }],
  ],
  'webhooks update': [
    ['webhooks update NOPE ftp://x', /NOPE[\s\S]*URL/, { path: '/Webhooks/NOPE', body: { webhookUrl: 'ftp://x' } }],
  ],
  'webhooks get': [['webhooks get NOPE', /NOPE/, { path: '/Webhooks/NOPE' }]],
  'webhooks delete': [['webhooks delete NOPE --yes', /NOPE/, { path: '/Webhooks/NOPE' }]],
  api: [['api POST /x --data oops', /--data is not JSON/, { text: 'oops' }]],
}

/** Runs a command line. Returns the last request, which is the one under test. */
async function sent(args: readonly string[]) {
  const server = await startRawServer((request) =>
    request.target.endsWith('/booking-statuses')
      ? answers(200, [{ code: 'SEATED', name: 'Seated' }])
      : request.method === 'GET' || request.target.endsWith('/balance')
        ? answers(200, ANSWER)
        : answers(400, { message: 'refused' }),
  )
  const run = await server.run([...args, '--retries', '0'], { env: INBOUND })
  return { run, last: server.requests.at(-1), isRead: server.requests.every(({ method }) => method === 'GET') }
}

describe.each(Object.entries(CASES))('local checks of %s', (_command, cases) => {
  test.for(cases)(
    'partner refuses %j with %s, but sends it with --no-validate',
    async ([line, says, { path, body, text } = {}]) => {
      const args = typeof line === 'string' ? words(line) : line
      const refused = await sent(args)
      expectRefusal(refused.run, { code: 2, says })
      expect(refused.isRead).toBe(true)
      const { run, last } = await sent([...args, '--no-validate'])
      expect(run.stderr).not.toContain('error: --')
      expect([0, 5]).toContain(run.code)
      if (path !== undefined) expect(last?.target).toBe(path)
      if (body !== undefined) expect(JSON.parse(last?.body ?? '')).toMatchObject(body)
      if (text !== undefined) expect(last?.body).toContain(text)
    },
  )
})

test('the tests in this file cover every command that accepts --no-validate', () => {
  const { commands } = JSON.parse(readFileSync(join(ROOT, '.oclif.manifest.json'), 'utf8'))
  const taking = Object.entries<{ flags?: object }>(commands)
    .filter(([, { flags = {} }]) => 'no-validate' in flags)
    .map(([id]) => id.replaceAll(':', ' '))
  // Commands that read files have their own tests in test/commands/sales/import and test/commands/webhooks/apply. Lists
  // are tested below.
  const lists = ['bookings list', 'customers list', 'giftcards list']
  expect(taking.sort()).toEqual([...Object.keys(CASES), ...lists, 'sales import', 'webhooks apply'].sort())
})

test('--no-validate still refuses a value that would be invalid in JSON or in a path', async () => {
  for (const amount of ['abc', '.5', '5.', '007', '+5', '1,000', '', 'NaN', 'Infinity', '0x10'])
    expectRefusal((await sent(['giftcards', 'redeem', CARD, `--amount=${amount}`, '--no-validate'])).run, {
      code: 2,
      says: /--amount/,
    })
  for (const args of [words('giftcards get a/b'), words('bookings update-pax ../x 2'), words('webhooks get a?b')])
    expectRefusal((await sent([...args, '--no-validate'])).run, { code: 2, says: 'is not an ID' })
})

test('an open redemption blocks any other redemption of the card, regardless of the case of the card number', async () => {
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
  // Balances are in whole cents, so they cannot show whether 25.125 was redeemed.
  const odd = await redeem(CARD, '--amount', '25.125', '--no-validate')
  expectRefusal(odd, { code: 9, says: 'not a whole number of cents', next: /operations resolve/ })
  expectRefusal(await redeem(CARD, '--amount', '30.5001', '--no-validate'), { code: 9, says: CARD })
  expect(posts()).toBe(2)
})

test('webhooks create refuses a security key on the command line, even with --no-validate', async () => {
  const args = words('webhooks create BOOKING_CREATED https://a.example --security-key hunter2 --no-validate')
  expectRefusal((await sent(args)).run, { code: 2, says: 'not the secret itself', secrets: ['hunter2'] })
})

describe('--no-validate on list commands', () => {
  test.each([
    ['customers list --sort newest', '--sort', 'Sort=newest'],
    ['customers list --updated-from someday', '--updated-from', 'DateUpdatedStart=someday'],
    ['giftcards list --issued-from 2020-13-01 --issued-to x', '--issued-from', 'IssueDateUtcStart=2020-13-01'],
    ['bookings list --from 2020-13-01 --updated-from 2020-01-01', '--from', 'StartDate=2020-13-01'],
  ])('%s --no-validate sends the invalid value for %s as typed', async (line, flag, sent) => {
    const server = await startRawServer([answers(200, [])])
    const env = { ...freshHome(), ...server.env }
    expectRefusal(await runPartner(words(line), { env }), { code: 2, says: flag })
    expect(server.requests).toEqual([])
    expect(await runPartner([...words(line), '--no-validate', '--json'], { env })).toMatchObject({ code: 0 })
    expect(server.requests[0]?.target).toContain(sent)
  })

  test('customers list sends valid values identically with and without --no-validate', async () => {
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

  test('partner help flags lists --no-validate', async () =>
    expect((await runPartner(['help', 'flags'])).stdout).toContain('--no-validate'))
})
