import type { JsonObject } from '../../src/base/json/exact.ts'

/** A booking with every member documented under "Booking" in the specification. */
export const booking: JsonObject = {
  bookingId: '65f1c0ffee000000499640b0',
  locationId: 'loc-1',
  method: 'online',
  bookedAt: '2026-11-18T02:11:09.123Z',
  bookingTime: '2026-11-20T19:30:00',
  duration: 90,
  people: 4,
  serviceId: 'svc-dinner',
  serviceName: 'Dinner',
  serviceType: 'Evening',
  lastModifiedDate: '2026-11-20T05:00:00Z',
  notes: 'Window table, please',
  customer: {
    id: 'cus-1',
    firstName: 'Ada',
    lastName: 'Lovelace',
    company: 'Analytical Engines',
    email: 'ada@example.com',
    phone: '+61 400 000 002',
    phoneNational: '0400 000 002',
    phone2: '+61 2 9999 0000',
    address: {
      line1: '1 George St',
      line2: null,
      city: 'Sydney',
      state: 'NSW',
      postalCode: '2000',
      country: 'Australia',
    },
    birthdayDate: 10,
    birthdayMonth: 12,
    birthdayYear: 1815,
    notes: 'Likes engines',
    noShowCount: 2,
    tags: [{ id: '1', identifier: 'vip', name: 'VIP' }],
    subscribed: true,
    lastModifiedDate: '2026-11-01T00:00:00Z',
  },
  tables: [
    { tableId: 't-12', tableName: '12', sectionId: 'sec-1', sectionName: 'Terrace' },
    { tableId: 't-14', tableName: '14', sectionId: 'sec-1', sectionName: 'Terrace' },
    { tableId: 't-3', tableName: '3', sectionId: 'sec-2', sectionName: 'Bar' },
  ],
  tags: [{ tagType: 'Occasion', name: 'Birthday' }],
  status: { statusType: 'standard', code: 'ARR-P', name: 'Partially arrived' },
  paymentSummary: {
    paymentType: 'card',
    amount: 120.5,
    amountDue: 60.25,
    amountPaid: 60.25,
    transactionId: 'pi_1',
    currencyCode: 'AUD',
    paymentDate: '2026-11-18T02:12:00Z',
  },
  items: [
    {
      name: 'Degustation menu',
      label: 'Set menu',
      paymentType: 'Deposit',
      price: 120,
      quantity: 4,
      extras: [{ name: 'Wine pairing', label: 'Wine pairing', price: 65.5, quantity: 2, paymentType: 'PreAuth' }],
    },
  ],
}

/** A gift card with every member documented under "Gift card" in the specification. */
export const giftCard: JsonObject = {
  cardNumber: 'ABCDE-12345678-WXYZ',
  issuedDate: '2026-01-05T01:00:00Z',
  expiryDate: '2027-01-05T00:59:59Z',
  amount: 100,
  remainingAmount: 54.5,
  status: 'Active',
  paymentType: 'InHouse',
  cardFormat: 'EGiftCard',
  experienceCardName: 'Harbour lunch',
  experienceCardDetails: 'For two',
  purchaserFirstName: 'Charles',
  purchaserLastName: 'Babbage',
  purchaserEmail: 'charles@example.com',
  recipientFirstName: 'Ada',
  recipientLastName: 'Lovelace',
  recipientEmail: 'ada@example.com',
}

/** A response to `POST /Reservations`. */
export const reservation: JsonObject = {
  bookingId: 'BK-1',
  time: '2026-11-20T18:00:00',
  numOfPeople: 4,
  bookingStatus: 'Unconfirmed',
  duration: 90,
  tableNames: ['12', '14'],
  serviceId: 'svc-dinner',
  serviceName: 'Dinner',
  sectionId: 'sec-1',
  isSuccess: true,
  errorMessage: null,
}

/** A response to `POST /GiftCards/redeem`. */
export const redemption: JsonObject = {
  cardNumber: 'ABCDE-12345678-WXYZ',
  amountRedeemed: 25,
  status: 'Active',
  isSuccess: true,
  errorMessage: null,
}

/** A schedule time on Friday 20 November 2026. `open` maps each section's ID to whether it is open. */
const time = (
  utc: string,
  name: string,
  bookingOptionsCount: number,
  open: Record<string, boolean>,
  expired = false,
) => ({
  ...{ time: `2026-11-20T${utc}:00Z`, name, expired, bookingOptionsCount },
  sections: Object.entries(open).map(([id, sectionState]) => ({ id, sectionState })),
})

const terrace = { id: 'sec-1', name: 'Terrace', order: 1 }

/** A day in the schedule. Lunch is full or past, and dinner is free at some times. */
export const day: JsonObject = {
  isVenueOpen: true,
  blockoutMessage: null,
  services: [
    {
      id: 'svc-lunch',
      name: 'Lunch',
      duration: 90,
      sections: [terrace],
      times: [
        time('01:00', '12:00 PM', 3, { 'sec-1': true }, true),
        time('02:00', '1:00 PM', 0, { 'sec-1': true }),
        time('03:00', '2:00 PM', 2, { 'sec-1': false }),
      ],
    },
    {
      id: 'svc-dinner',
      name: 'Dinner',
      duration: 120,
      sections: [terrace, { id: 'sec-2', name: 'Bar', order: 2 }],
      times: [
        time('07:00', '6:00 PM', 2, { 'sec-1': true, 'sec-2': true }),
        time('07:30', '6:30 PM', 1, { 'sec-1': false, 'sec-2': true }),
      ],
    },
  ],
}

export const profile: JsonObject = {
  name: 'live',
  current: true,
  environment: 'production',
  baseUrl: 'https://api.example.com',
  timezone: 'Australia/Sydney',
  partnerName: 'acme',
  signatureHeader: 'X-Partner-Signature',
  locationId: 'loc-1',
  mode: null,
  apiKey: '••••1234 (stored)',
  signingSecret: 'env:SECRET (not set)',
}

/** The state of a copy, in the format of `sync status --json`. */
export const syncStatus: JsonObject = {
  source: 'city',
  resource: 'bookings',
  cursor: '2026-11-20T06:00:00.000Z',
  lagSeconds: 90,
  lastRun: { startedAt: '2026-11-20T05:59:59.000Z', requests: 1, added: 2, changed: 3, unchanged: 4 },
  rows: 636,
  holder: { who: 'process 4711 (bookings sync)', since: '2026-11-20T05:59:58.000Z' },
}

/** A change whose event never arrived, in the format of `webhooks gaps`. */
export const gap = {
  class: 'missing',
  event: 'BOOKING_UPDATED',
  subject: '6b02f574c1bbb011e6f37b81',
  changedAfter: null,
  changed: '2026-11-20T06:00:00.000Z',
  delivered: null,
  lateSeconds: null,
  line: null,
  repaired: null,
  answer: null,
} as const

/** The result of changing a subscription, in the format of `webhooks apply --json`. */
export const webhookChange: JsonObject = {
  event: 'GIFTCARDS_REDEEMED',
  action: 'update',
  presentUrl: 'https://old.example/hooks',
  webhookUrl: 'https://pos.example/hooks',
  credentials: 'sent',
  outcome: 'failed',
  status: 400,
  message: 'Giftcard Webhook Request Failed Verification.',
  hint: 'run it again',
}

/** A timeline entry, in the format of `timeline --json`. */
export const timelineEntry: JsonObject = {
  at: '2026-11-20T06:00:00.000Z',
  local: '2026-11-20 17:00:00',
  future: false,
  kind: 'version',
  source: 'copy',
  where: 'b.ndjson:4',
  subject: 'BK-1001',
  text: 'status SEATED → CONFIRMED',
  oddity: 'the status went back to CONFIRMED',
}

/** The explanation of a rejected reservation, in the format of `reservations explain --json`. */
export const explained: JsonObject = {
  accepted: false,
  reasons: [{ code: 'time-past', message: 'Mon 2020-01-06 19:00 is past', answer: "Invalid Service 'svc'" }],
  doubts: [{ code: 'venue-says', message: 'the venue says: closing early' }],
  nearest: [
    {
      time: '2026-11-21 19:00',
      timeUtc: '2026-11-21T08:00:00Z',
      serviceId: 'svc',
      serviceName: 'Dinner',
      sectionId: 's',
      sectionName: 'Main',
    },
  ],
  withoutTables: false,
  notChecked: ['--section'],
  request: {
    people: 2,
    time: 'Mon 2020-01-06 19:00',
    timeUtc: '2020-01-06T08:00:00Z',
    service: 'svc',
    section: 's',
    tables: ['T1'],
    minutes: 90,
  },
}

/** A difference from the contract, in the format of `drift`. */
export const driftEntry = {
  endpoint: 'GET /Bookings/{id}',
  member: 'customer.lastModifiedDate',
  basis: 'documented',
  verdict: 'contradicted',
  expected: 'time with a zone, or null',
  seen: 'ms since 1970, whole number',
  times: 4,
  source: 'run',
  accepted: false,
}

/** An ambiguous table name, in the format of `tables check`. */
export const checkedName = {
  pos: 'Table 4',
  lines: [5],
  kind: 'ambiguous',
  differences: [],
  doubled: false,
  service: null,
  tableId: null,
  section: null,
  candidates: [
    { name: 'T4', tableId: 'tbl-t4', section: 'Main Dining' },
    { name: 'B4', tableId: 'tbl-b4', section: 'Bar' },
  ],
  parts: [],
  next: 'choose T4 or B4 in the map',
}
