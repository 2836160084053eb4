import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Endpoint, fillMessage } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { COMMON_FAILURES } from '../../src/contract/failures.ts'
import { localControl } from '../../src/sandbox/control/local.ts'
import { SANDBOX_KEYS } from '../../src/sandbox/credentials.ts'
import { openState } from '../../src/sandbox/open-state.ts'
import { OTHER_VENUE_CARD as OTHERS } from '../../src/sandbox/seed/cards.ts'
import { OTHER_LOCATION_BOOKINGS } from '../../src/sandbox/seed/fill.ts'
import { startSandbox } from '../../src/studio/start.ts'
import { IN_A_WEEK } from '../support/dates.ts'
import { freshHome, runPartner } from '../support/partner.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { words } from '../support/words.ts'

const IDS = [
  ...(['bookings.list', 'bookings.get', 'bookings.statuses', 'bookings.schedule', 'reservations.create'] as const),
  ...(['giftcards.get', 'giftcards.redeem', 'giftcards.cancel'] as const),
] as const
type Id = (typeof IDS)[number]

const CARD = 'GIFT1-00000100-AAAA'
const NO_CARD = 'AAAAA-00000000-ZZZZ'
const SPENT = 'SPENT-00000000-RRRR'
const { lostLocation: LOST, unsubscribedLocation: UNSUBSCRIBED } = OTHER_LOCATION_BOOKINGS
/** A time when dinner is served but lunch is not: 17:30 or 18:30 in Sydney, depending on the season. */
const DINNER = `${IN_A_WEEK}T07:30:00Z`
const GUEST = { firstName: 'Ada', lastName: 'Ng', phone: '+61 400 000 000' }
const DINNER_FOR_2 = { numOfPeople: 2, serviceId: 'svc-dinner', sectionId: 'sec-main', bookingTimeAsUtc: DINNER }
const RESERVATION = { ...DINNER_FOR_2, customer: GUEST }

/** A rejection from the specification and the request that provokes it in the sandbox. */
interface Refusal {
  readonly status: number
  readonly message: string
  /** The path and query of the request. Defaults to those of the valid request, or to the path of the endpoint. */
  readonly target?: string
  readonly body?: unknown
  readonly key?: string
  /** Set if no request can provoke the rejection in the sandbox. The test then injects a fault. */
  readonly fault?: true
}

const RANGE = `StartDate=${IN_A_WEEK}T00:00:00.000Z&EndDate=${IN_A_WEEK}T12:00:00.000Z`

/** A valid request for each endpoint, used for rejections that do not depend on the request. */
const GOOD: Readonly<Record<Id, Pick<Refusal, 'target' | 'body'>>> = {
  'bookings.list': { target: `/Bookings?${RANGE}` },
  'bookings.get': { target: '/Bookings/BK-1' },
  'bookings.statuses': {},
  'bookings.schedule': { target: `/Bookings/schedule?BookingDateTimeStart=${IN_A_WEEK}T00:00:00.000Z&NumOfPeople=2` },
  'reservations.create': { body: RESERVATION },
  'giftcards.get': { target: `/GiftCards/${CARD}` },
  'giftcards.redeem': { body: { cardNumber: CARD, amount: 1 } },
  'giftcards.cancel': { body: { cardNumber: CARD } },
}

const refused = (status: number, message: string, more: Partial<Refusal> = {}): Refusal => ({
  status,
  message,
  ...more,
})
const NO_VENUE_FOR_KEY = refused(400, 'API key not associated with a venue', { key: SANDBOX_KEYS.noVenue })
const NO_DETAILS = 'Failed to retrieve card details.'
const NOT_RESERVED = 'An error occurred. Unable to create new reservation.'
const UNREADABLE_TIME = 'Invalid Booking Time passed in the payload.'
const noService = (time: string) => `No service available for booking time '${time}' and Pax '2'`

/**
 * The 400 responses to a reservation request. Each row has a message and the change to a valid request that
 * provokes it. `undefined` omits a member.
 */
const RESERVATIONS_REFUSED: readonly (readonly [message: string, change: Readonly<Record<string, unknown>>])[] = [
  ['numOfPeople is required', { numOfPeople: undefined }],
  ['numOfPeople is required', { numOfPeople: null }],
  ['Invalid booking status MAYBE', { status: 'MAYBE' }],
  [noService(`${IN_A_WEEK}T16:00:00Z`), { bookingTimeAsUtc: `${IN_A_WEEK}T16:00:00Z` }],
  [noService(`${IN_A_WEEK} 03:00`), { bookingTimeAsUtc: undefined, time: `${IN_A_WEEK} 03:00` }],
  ["Invalid Service 'svc-lunch'", { serviceId: 'svc-lunch' }],
  [UNREADABLE_TIME, { bookingTimeAsUtc: '2026-02-30T10:00:00Z' }],
  [UNREADABLE_TIME, { bookingTimeAsUtc: undefined }],
  ["A reservation request must contain 'ServiceId'", { serviceId: undefined }],
  ["A reservation request must contain 'SectionId'", { sectionId: undefined }],
  ['Customer FirstName, LastName and Phone are required.', { customer: { ...GUEST, phone: '' } }],
  ["Table 'tbl-none' not found", { tables: ['tbl-none'] }],
  ['Duplicate table entries', { tables: ['tbl-t1', 'tbl-t1'] }],
  ["Table 'tbl-p1' is not in section 'sec-main'", { tables: ['tbl-p1'] }],
  ["Table 'tbl-b1' takes walk-ins only", { sectionId: 'sec-bar', tables: ['tbl-b1'] }],
  ["Tables 'tbl-t9' do not suit a party of 2", { tables: ['tbl-t9'] }],
]

const OWN: Readonly<Record<Id, readonly Refusal[]>> = {
  'bookings.list': [refused(400, 'Invalid Date passed.', { target: '/Bookings?StartDate=yesterday&EndDate=today' })],
  'bookings.get': [
    refused(400, 'Invalid request.', { target: '/Bookings/%24' }),
    refused(404, "Booking 'BK-1' not found.", { target: '/Bookings/BK-1' }),
    refused(404, 'Location of the POS not found.', { target: `/Bookings/${LOST}` }),
    refused(404, 'No venue subscribed to the location.', { target: `/Bookings/${UNSUBSCRIBED}` }),
    refused(500, 'An error occurred.', { fault: true }),
  ],
  'bookings.statuses': [NO_VENUE_FOR_KEY],
  'bookings.schedule': [
    refused(400, 'Invalid Date passed.', { target: '/Bookings/schedule?BookingDateTimeStart=soon&NumOfPeople=2' }),
    refused(400, 'NumOfPeople is required', { target: `/Bookings/schedule?BookingDateTimeStart=${DINNER}` }),
  ],
  'reservations.create': [
    ...RESERVATIONS_REFUSED.map(([message, change]) => refused(400, message, { body: { ...RESERVATION, ...change } })),
    refused(500, NOT_RESERVED, { fault: true }),
  ],
  'giftcards.get': [
    NO_VENUE_FOR_KEY,
    refused(404, `Gift card '${NO_CARD}' not found.`, { target: `/GiftCards/${NO_CARD}` }),
    refused(404, `No gift card with number '${OTHERS}' exists for this venue.`, { target: `/GiftCards/${OTHERS}` }),
    refused(500, 'Failed to retrieve the card details.', { fault: true }),
  ],
  'giftcards.redeem': [
    refused(400, 'cardNumber is required', { body: { amount: 1 } }),
    refused(400, 'amount is required', { body: { cardNumber: CARD } }),
    ...[0, -5].map((amount) =>
      refused(400, `Invalid redeem amount '${amount}' for card '${CARD}'.`, { body: { cardNumber: CARD, amount } }),
    ),
    refused(404, `Gift card '${NO_CARD}' not found.`, { body: { cardNumber: NO_CARD, amount: 1 } }),
    refused(500, NO_DETAILS, { fault: true }),
  ],
  'giftcards.cancel': [
    refused(400, 'cardNumber is required', { body: {} }),
    refused(400, `Gift card '${SPENT}' is fully redeemed and cannot be cancelled.`, { body: { cardNumber: SPENT } }),
    refused(404, `Gift card '${NO_CARD}' not found.`, { body: { cardNumber: NO_CARD } }),
    refused(500, NO_DETAILS, { fault: true }),
  ],
}

const LIMIT = 'You may only perform this action 10 times every 1000 milliseconds'

/** The rejections that are possible at every endpoint that requires an API key. */
const COMMON: readonly Refusal[] = [
  { status: 401, message: 'Unauthorized', key: '' },
  { status: 401, message: 'Unauthorized', key: 'wrong' },
  { status: 400, message: 'loggedInAppId is required', key: SANDBOX_KEYS.unknownApp },
  { status: 400, message: 'No Venue Subscribed to your App.', key: SANDBOX_KEYS.unlinkedVenue },
  { status: 429, message: LIMIT, fault: true },
]

const data = mkdtempSync(join(tmpdir(), 'messages-'))
const sandbox = await startSandbox({ data })
const control = localControl(openState(data, { seed: 1, clock: {} }))
afterAll(async () => {
  await control.close()
  await sandbox.close()
  rmSync(data, { recursive: true, force: true })
})

const CASES = IDS.flatMap((id) => [...OWN[id], ...COMMON].map((refusal) => ({ id, ...refusal })))

describe('rejections that the specification documents', () => {
  test.each(CASES)(
    'the sandbox can reject $id with $status $message',
    async ({ id, status, message, target, body, key, fault }) => {
      const endpoint: Endpoint = ENDPOINTS[id]
      const { method, path } = endpoint
      if (fault) await control.addFault({ endpoint: `${method} ${path}`, effect: { kind: 'status', status }, next: 1 })
      const content = body ?? GOOD[id].body
      const reply = await fetch(sandbox.baseUrl + (target ?? GOOD[id].target ?? path), {
        method,
        headers: { 'x-api-key': key ?? sandbox.apiKey, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(10_000),
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      })
      const said = (await reply.json()) as { message?: string; detail?: string }
      expect([reply.status, said.message ?? said.detail]).toEqual([status, message])
    },
  )

  test.each(IDS)('every documented rejection by %s is tested', (id) => {
    const unseen = Object.values({ ...ENDPOINTS[id].failures, ...COMMON_FAILURES }).filter(
      ({ status, message }) =>
        message !== COMMON_FAILURES.requiredField.message &&
        ![...OWN[id], ...COMMON].some((one) => one.status === status && fits(one.message, message)),
    )
    expect(unseen.map((failure) => fillMessage(failure))).toEqual([])
  })
})

/** Returns whether a message is a documented message with its placeholders filled in. */
function fits(message: string, documented: string): boolean {
  const literal = documented.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`).test(message)
}

const REFUSED_CHANGES = [
  [{ serviceId: undefined }, "A reservation request must contain 'ServiceId'"],
  [{ sectionId: undefined }, "A reservation request must contain 'SectionId'"],
  [{ customer: undefined }, 'Customer FirstName, LastName and Phone are required.'],
  [{ bookingTimeAsUtc: 'soon' }, UNREADABLE_TIME],
  [{ numOfPeople: undefined }, 'numOfPeople is required'],
  [{ status: 'MAYBE' }, 'Invalid booking status MAYBE'],
  [{ serviceId: 'svc-lunch' }, "Invalid Service 'svc-lunch'"],
  [{ bookingTimeAsUtc: `${IN_A_WEEK}T16:00:00Z` }, 'No service available for booking time'],
] as const
const fails = (endpoint: string, status = 500) => ({ fault: [endpoint, status] as const })

/** Commands that provoke the rejections above, except those whose requests partner refuses to send. */
const TYPED: readonly (readonly [
  args: readonly string[],
  code: number,
  says: string,
  how?: { readonly key?: string; readonly fault?: readonly [endpoint: string, status: number] },
])[] = [
  [['bookings', 'get', 'BK-1'], 3, "Booking 'BK-1' not found."],
  [['bookings', 'get', LOST], 3, 'Location of the POS not found.'],
  [['bookings', 'get', UNSUBSCRIBED], 3, 'No venue subscribed to the location.'],
  [['bookings', 'get', 'BK-1'], 8, 'An error occurred.', fails('GET /Bookings/{id}')],
  [['bookings', 'statuses'], 4, 'API key not associated with a venue', { key: SANDBOX_KEYS.noVenue }],
  [['bookings', 'statuses'], 7, LIMIT, fails('GET /Resources/booking-statuses', 429)],
  [['giftcards', 'get', OTHERS], 3, 'exists for this venue.'],
  [['giftcards', 'get', CARD], 8, 'Failed to retrieve the card details.', fails('GET /GiftCards/{cardNumber}')],
  [['giftcards', 'redeem', CARD, '--amount', '1'], 8, NO_DETAILS, fails('POST /GiftCards/redeem')],
  [['giftcards', 'cancel', CARD, '--yes'], 8, NO_DETAILS, fails('PATCH /GiftCards/cancel')],
  [['giftcards', 'cancel', SPENT, '--yes'], 5, 'is fully redeemed'],
  ...REFUSED_CHANGES.map(
    ([change, says]) => [[...words('reservations create --no-validate --data'), reserving(change)], 5, says] as const,
  ),
  [[...words('reservations create --data'), reserving({})], 8, NOT_RESERVED, fails('POST /Reservations')],
]

function reserving(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...RESERVATION, ...change })
}

describe('service messages in command output', () => {
  test.each(TYPED.map(([args, code, says, how]) => ({ line: args.slice(0, 3).join(' '), args, code, says, ...how })))(
    "partner $line shows the service's message and a hint: $says",
    async ({ args, code, says, key, fault }) => {
      if (fault) await control.addFault({ endpoint: fault[0], effect: { kind: 'status', status: fault[1] }, next: 2 })
      const env = { ...freshHome(), PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: key ?? sandbox.apiKey }
      expectRefusal(await runPartner([...args, '--retries', '0'], { env }), { code, says })
      expect(reportedError(await runPartner([...args, '--retries', '0', '--json'], { env })).message).toContain(says)
      await control.clearFaults()
    },
  )
})

test('the sandbox returns an empty list, not an error, if date filters are mixed, incomplete or missing', async () => {
  const updated = `UpdatedFromDate=${IN_A_WEEK}T00:00:00.000Z&UpdatedToDate=${IN_A_WEEK}T12:00:00.000Z`
  for (const query of ['', `?${RANGE}&${updated}`, `?StartDate=${IN_A_WEEK}T00:00:00.000Z`]) {
    const reply = await fetch(`${sandbox.baseUrl}/Bookings${query}`, { headers: { 'x-api-key': sandbox.apiKey } })
    expect([reply.status, await reply.json()]).toEqual([200, { count: 0, bookings: [] }])
  }
})
