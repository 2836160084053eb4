import type { Endpoint } from '../../../src/contract/endpoint.ts'
import type { EndpointId } from '../../../src/contract/endpoints.ts'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'
import { sign } from '../../../src/signing/signature.ts'
import { freeTime, GUEST, type Send } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const TIME = '2026-11-20 18:00'
/** A subscription. */
export const SUBSCRIBED = { event: 'BOOKING_CREATED', webhookUrl: 'https://receiver.example/hook' }
const SALE = {
  origin: { saleId: 'conformance-1' },
  source: { type: 'POS' },
  type: 'SALE',
  openedZonedDateTime: '2026-11-20T08:00:00Z',
  staff: { id: 's1' },
  table: { seats: 2 },
  total: { amount: 100, currency: 'AUD' },
}

/** What a call asks, and with which body. */
export interface Call {
  readonly path: string
  readonly body?: unknown
}

/** A good call of each endpoint; one that is missing does not compile. */
export const GOOD_CALLS: { readonly [Id in EndpointId]: (send: Send, sandbox: SandboxFacts) => Promise<Call> } = {
  'bookings.list': async () => ({
    path: '/Bookings?StartDate=2020-01-01T00:00:00.000Z&EndDate=2040-01-01T00:00:00.000Z&IncludeCustomerDetails=true',
  }),
  'bookings.get': async (send) => ({ path: `/Bookings/${await walkIn(send)}` }),
  'bookings.create': async () => ({ path: '/Bookings', body: { numOfPeople: 2, time: TIME } }),
  'bookings.update': async (send) => ({
    path: '/Bookings/UpdateBookingAsync',
    body: { bookingId: await walkIn(send), time: TIME },
  }),
  'bookings.update-pax': async (send) => ({ path: `/Bookings/${await walkIn(send)}/updatepax`, body: { pax: 3 } }),
  'bookings.update-status': async (send) => ({
    path: `/Bookings/${await walkIn(send)}/updatestatus`,
    body: { status: 'ARRIVED' },
  }),
  'bookings.update-tables': async (send) => ({
    path: `/Bookings/${await walkIn(send)}/updatetables`,
    body: { tables: [{ name: 'T1', section: 'Main Dining' }], allowTableBookingConflict: true },
  }),
  'bookings.schedule': async () => ({
    path: '/Bookings/schedule?BookingDateTimeStart=2031-01-10T00:00:00.000Z&NumOfPeople=2',
  }),
  'bookings.tables': async () => ({ path: '/Bookings/tables?Date=2031-01-10&Duration=60' }),
  'bookings.statuses': async () => ({ path: '/Resources/booking-statuses' }),
  'reservations.create': async (send) => ({
    path: '/Reservations',
    body: { numOfPeople: 2, ...(await freeTime(send, 2)), customer: GUEST },
  }),
  'giftcards.get': async () => ({ path: `/GiftCards/${CARD}` }),
  'giftcards.list': async () => ({ path: '/GiftCards?IncludeCancelled=true&Limit=5' }),
  'giftcards.redeem': async () => ({ path: '/GiftCards/redeem', body: { cardNumber: CARD, amount: 1.5 } }),
  'giftcards.cancel': async () => ({ path: '/GiftCards/cancel', body: { cardNumber: CARD } }),
  'sales.create': async (send) => ({ path: '/Sales', body: { ...SALE, bookingId: await walkIn(send) } }),
  'sales.list': async () => ({ path: '/Sales?StartDate=2020-01-01T00:00:00.000Z&EndDate=2040-01-01T00:00:00.000Z' }),
  'customers.list': async () => ({ path: '/Customers?Limit=7&StartIndex=3' }),
  'customers.unsubscribe': async (send) => ({
    path: `/Customers/${(await send('GET', '/Customers?Limit=1')).body.items[0].id}/unsubscribe`,
  }),
  'webhooks.list': async () => ({ path: '/Webhooks' }),
  'webhooks.get': async (send) => ({ path: await subscribed(send) }),
  'webhooks.create': async () => ({ path: '/Webhooks', body: SUBSCRIBED }),
  'webhooks.update': async (send) => ({ path: await subscribed(send), body: { webhookUrl: 'https://b.example' } }),
  'webhooks.delete': async (send) => ({ path: await subscribed(send) }),
  'inbound.redeem': async (_send, { partnerName, locationId }) => ({
    path: `/partners/${partnerName}/giftcards/redeem`,
    body: { cardNumber: CARD, amount: 1, locationId },
  }),
  'inbound.balance': async (_send, { partnerName, locationId }) => ({
    path: `/partners/${partnerName}/giftcards/balance`,
    body: { cardNumber: CARD, locationId },
  }),
  'inbound.event': async (_send, { partnerName }) => ({
    path: `/Sales/partners/${partnerName}/events/webhooks.test_notification`,
    body: { hello: 1 },
  }),
}

async function walkIn(send: Send): Promise<string> {
  return (await send('POST', '/Bookings', { numOfPeople: 2, time: TIME })).body.bookingId
}

async function subscribed(send: Send): Promise<string> {
  await send('POST', '/Webhooks', SUBSCRIBED)
  return `/Webhooks/${SUBSCRIBED.event}`
}

/** Sends a call as its endpoint wants it: with the key, or signed. */
export function perform(
  send: Send,
  sandbox: SandboxFacts,
  endpoint: Endpoint,
  { path, body }: Call,
  headers: Readonly<Record<string, string>> = {},
) {
  if (endpoint.auth === 'api-key') return send(endpoint.method, path, body, headers)
  const text = JSON.stringify(body)
  const signed = sign(Buffer.from(text), sandbox.baseUrl + path, sandbox.signingSecret)
  return send(endpoint.method, path, text, { [sandbox.signatureHeader]: signed, ...headers })
}
