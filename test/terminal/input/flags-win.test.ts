import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { answers, RAW_KEY, resets, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const OTHER_CARD = 'GIFT2-00005025-AAAA'

const ENVIRONMENT = {
  PARTNER_BASE_URL: 'https://service.example',
  PARTNER_API_KEY: RAW_KEY,
  PARTNER_SIGNING_SECRET: 'signing-secret-of-this-test',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Sign',
  PARTNER_LOCATION_ID: 'L0',
}

async function body(...args: readonly string[]): Promise<Record<string, unknown>> {
  const run = await runPartner([...args, '--dry-run', '--json'], { env: { ...freshHome(), ...ENVIRONMENT } })
  expect(run).toMatchObject({ code: 0 })
  return JSON.parse(run.stdout).body
}

const json = (value: unknown) => ['--data', JSON.stringify(value)]

describe('--time and --time-utc', () => {
  const LOCAL = '2026-12-24 19:00'
  const UTC = '2026-12-24T08:00:00Z'
  const OTHERS = { time: '2026-12-31 12:00', bookingTimeAsUtc: '2026-12-31T01:00:00Z' }
  const SET = Object.entries(OTHERS).flatMap(([member, time]) => ['--set', `${member}=${time}`])
  const GUEST = ['--first-name', 'Ada', '--last-name', 'Ng', '--phone', '+61400000000']
  const COMMANDS: Readonly<Record<string, readonly string[]>> = {
    'reservations create': ['reservations', 'create', '--people', '2', '--service', 's', '--section', 'x', ...GUEST],
    'bookings create': ['bookings', 'create', '--people', '2'],
    'bookings update': ['bookings', 'update', 'BK-1'],
  }

  describe.each(Object.entries(COMMANDS))('%s', (command, args) => {
    test.each([
      ['--data', json(OTHERS)],
      ['--set', SET],
      ['--data and --set', [...json(OTHERS), ...SET]],
    ])(`${command} sends only the time from its time flag, even if there are times in %s`, async (_what, extra) => {
      const local = await body(...args, ...extra, '--time', LOCAL)
      expect([local['time'], 'bookingTimeAsUtc' in local]).toEqual([LOCAL, false])
      const utc = await body(...args, ...extra, '--time-utc', UTC)
      expect([utc['bookingTimeAsUtc'], 'time' in utc]).toEqual([UTC, false])
    })

    test(`${command} with both --time and --time-utc sends --time-utc and prints a warning`, async () => {
      const both = [...args, ...json(OTHERS), '--time', LOCAL, '--time-utc', UTC, '--dry-run', '--json']
      const run = await runPartner(both, { env: { ...freshHome(), ...ENVIRONMENT } })
      const sent = JSON.parse(run.stdout).body
      expect([sent.bookingTimeAsUtc, 'time' in sent]).toEqual([UTC, false])
      expect(run.stderr).toBe('warning: --time-utc is sent; --time is ignored\n')
    })

    test(`${command} without a time flag sends the times from --data`, async () =>
      expect(await body(...args, ...json(OTHERS))).toMatchObject(OTHERS))
  })
})

describe('bookings update without a new time', () => {
  async function updated(bookingTime: unknown) {
    const server = await startRawServer([answers(200, { bookingId: 'BK-1', bookingTime }), answers(201, {})])
    const run = await server.run(['bookings', 'update', 'BK-1', '--people', '3', '--json'])
    return { run, body: server.requests[1] && JSON.parse(server.requests[1].body) }
  }

  test.each(['2026-12-24T19:00:00', '2026-12-24 19:00', '2026-12-24T19:00:30.1234567'])(
    "bookings update sends the booking's own time %s as local time",
    async (time) => {
      const { run, body } = await updated(time)
      expect(run.code).toBe(0)
      expect(body).toEqual({ numOfPeople: 3, time: '2026-12-24 19:00', bookingId: 'BK-1' })
    },
  )

  test.each([
    ['2026-12-24T19:00:00Z', '2026-12-24T19:00:00Z'],
    ['2026-12-24T19:00:00.0000000Z', '2026-12-24T19:00:00Z'],
    ['2026-12-24T19:00:00+11:00', '2026-12-24T08:00:00Z'],
    ['2026-12-24T19:00:00-0330', '2026-12-24T22:30:00Z'],
    ['2026-12-24T05:00+11:00', '2026-12-23T18:00:00Z'],
  ])("bookings update converts the booking's own time %s to UTC", async (time, utc) => {
    const { run, body } = await updated(time)
    expect(run.code).toBe(0)
    expect(body).toEqual({ numOfPeople: 3, bookingTimeAsUtc: utc, bookingId: 'BK-1' })
  })

  test.each([null, '', 'tomorrow', '2026-02-30T19:00:00', '2026-12-24T19:00:00+25:00', '2026-12-24', 42])(
    'bookings update exits with code 2 and changes nothing if the booking has the invalid time %j',
    async (time) => {
      const { run, body } = await updated(time)
      const message = 'the booking has no valid time to send with the update'
      expect(reportedError(run)).toMatchObject({ code: 'USAGE', message })
      expect(body).toBeUndefined()
    },
  )
})

describe('arguments and flags that contradict --data and --set', () => {
  const COMMANDS: Readonly<Record<string, readonly [args: readonly string[], other: object, sent: object]>> = {
    'giftcards redeem': [
      ['giftcards', 'redeem', CARD, '--amount', '25.00', '--email', 'a@example.com', '--notes', 'flag'],
      { cardNumber: OTHER_CARD, amount: 99, issuedToEmail: 'b@example.com', notes: 'data' },
      { cardNumber: CARD, amount: 25, issuedToEmail: 'a@example.com', notes: 'flag' },
    ],
    'giftcards cancel': [['giftcards', 'cancel', CARD, '--yes'], { cardNumber: OTHER_CARD }, { cardNumber: CARD }],
    'inbound redeem': [
      ['inbound', 'redeem', CARD, '--amount', '25', '--location-id', 'L1'],
      { cardNumber: OTHER_CARD, amount: 99, locationId: 'L2' },
      { cardNumber: CARD, amount: 25, locationId: 'L1' },
    ],
    'inbound balance': [
      ['inbound', 'balance', CARD, '--location-id', 'L1'],
      { cardNumber: OTHER_CARD, locationId: 'L2' },
      { cardNumber: CARD, locationId: 'L1' },
    ],
    'sales create': [
      [
        ...words('sales create --sale-id S-1 --type REFUND --source ONLINE --staff-id st-1'),
        ...words('--seats 2 --booking-id BK-1 --table-number 4 --status PAID --total-cents 500'),
        ...words('--currency AUD --location-id L1'),
        ...words('--opened 2026-11-20T08:00:00Z --closed 2026-11-20T10:00:00Z'),
      ],
      {
        origin: { saleId: 'S-2' },
        type: 'VOID',
        source: { type: 'POS' },
        staff: { id: 'st-2' },
        table: { seats: 9, number: '9' },
        bookingId: 'BK-2',
        status: 'OTHER',
        total: { amount: 1, currency: 'USD' },
        locationId: 'L2',
        openedZonedDateTime: '2026-01-01T00:00:00.000Z',
        closedZonedDateTime: '2026-01-01T00:00:00.000Z',
      },
      {
        origin: { saleId: 'S-1' },
        type: 'REFUND',
        source: { type: 'ONLINE' },
        staff: { id: 'st-1' },
        table: { seats: 2, number: '4' },
        bookingId: 'BK-1',
        status: 'PAID',
        total: { amount: 500, currency: 'AUD' },
        locationId: 'L1',
        openedZonedDateTime: '2026-11-20T08:00:00.000Z',
        closedZonedDateTime: '2026-11-20T10:00:00.000Z',
      },
    ],
    'bookings update': [
      ['bookings', 'update', 'BK-1', '--people', '3', '--time', '2026-12-24 19:00'],
      { bookingId: 'BK-2', numOfPeople: 9 },
      { bookingId: 'BK-1', numOfPeople: 3, time: '2026-12-24 19:00' },
    ],
    'bookings update-pax': [['bookings', 'update-pax', 'BK-1', '3'], { bookingId: 'BK-2', pax: 9 }, { pax: 3 }],
    'bookings update-status': [
      ['bookings', 'update-status', 'BK-1', 'SEATED', '--no-validate'],
      { bookingId: 'BK-2', status: 'OTHER' },
      { status: 'SEATED' },
    ],
    'bookings update-tables': [
      ['bookings', 'update-tables', 'BK-1', '--table', 'Bar/B1', '--allow-conflict'],
      { bookingId: 'BK-2', tables: [{ name: 'T9', section: 'Main' }], allowTableBookingConflict: false },
      { tables: [{ name: 'B1', section: 'Bar' }], allowTableBookingConflict: true },
    ],
    'webhooks create': [
      ['webhooks', 'create', 'BOOKING_CREATED', 'https://a.example/hook'],
      { event: 'BOOKING_UPDATED', webhookUrl: 'https://b.example' },
      { event: 'BOOKING_CREATED', webhookUrl: 'https://a.example/hook' },
    ],
    'webhooks update': [
      ['webhooks', 'update', 'BOOKING_CREATED', 'https://a.example/hook'],
      { event: 'BOOKING_UPDATED', webhookUrl: 'https://b.example' },
      { webhookUrl: 'https://a.example/hook' },
    ],
  }

  test.each(Object.entries(COMMANDS))(
    '%s sends its arguments and flags even if --data and --set contain other values',
    async (_command, [args, other, sent]) => {
      const set = Object.entries(other).flatMap(([member, value]) => ['--set', `${member}=${JSON.stringify(value)}`])
      expect(await body(...args, ...json(other))).toEqual(sent)
      expect(await body(...args, ...set)).toEqual(sent)
    },
  )
})

test('giftcards redeem records the card and amount that it sent, not those in --data', async () => {
  const server = await startRawServer(({ method }) =>
    method === 'POST' ? resets : answers(200, { cardNumber: CARD, remainingAmount: 100, status: 'Active' }),
  )
  const env = { ...freshHome(), ...server.env }
  const other = json({ cardNumber: OTHER_CARD, amount: 99 })
  const run = await runPartner(['giftcards', 'redeem', CARD, '--amount', '25', ...other], { env })
  expectRefusal(run, { code: 9, says: 'not known' })
  const post = server.requests.find(({ method }) => method === 'POST')
  expect(JSON.parse(post?.body ?? '')).toEqual({ cardNumber: CARD, amount: 25 })
  const [operation] = JSON.parse((await runPartner(['operations', 'list', '--json'], { env })).stdout)
  expect(operation).toMatchObject({ target: CARD, amount: '25.00' })
})
