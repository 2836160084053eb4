import { expect, test } from 'vitest'
import * as zod from 'zod'
import type { DocumentedFailure, Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../../src/contract/endpoints.ts'
import { WEBHOOK_EVENTS } from '../../../src/contract/events.ts'
import { COMMON_FAILURES } from '../../../src/contract/failures.ts'
import type { getGiftCard } from '../../../src/contract/giftcards.ts'
import { problemDetails } from '../../../src/contract/shapes/problem.ts'
import { openControl } from '../../../src/sandbox/control/open.ts'
import type { Handler } from '../../../src/sandbox/endpoints/handler.ts'
import { findBooking } from '../../../src/sandbox/records/bookings.ts'
import type { Sandbox } from '../../../src/sandbox/start.ts'
import { sign } from '../../../src/signing/signature.ts'
import { freeTime, freshSandbox, GUEST, type Send } from '../fresh-sandbox.ts'

const CARD = 'GIFT1-00000100-AAAA'
const TIME = '2026-11-20 18:00'
const SUBSCRIBED = { event: 'BOOKING_CREATED', webhookUrl: 'https://receiver.example/hook' }
const SALE = {
  origin: { saleId: 'conformance-1' },
  source: { type: 'POS' },
  type: 'SALE',
  openedZonedDateTime: '2026-11-20T08:00:00Z',
  staff: { id: 's1' },
  table: { seats: 2 },
  total: { amount: 100, currency: 'AUD' },
}

interface Call {
  readonly path: string
  readonly body?: unknown
}

/** A good call of each endpoint; one that is missing does not compile. */
const GOOD: { readonly [Id in EndpointId]: (send: Send, sandbox: Sandbox) => Promise<Call> } = {
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
function perform(send: Send, sandbox: Sandbox, endpoint: Endpoint, { path, body }: Call) {
  if (endpoint.auth === 'api-key') return send(endpoint.method, path, body)
  const text = JSON.stringify(body)
  const signed = sign(Buffer.from(text), sandbox.baseUrl + path, sandbox.signingSecret)
  return send(endpoint.method, path, text, { [sandbox.signatureHeader]: signed })
}

const ALL = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]

test.each(ALL)('%s answers a good call with a documented status and shape', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox()
  const reply = await perform(send, sandbox, endpoint, await GOOD[id](send, sandbox))
  const shape = endpoint.responses[reply.status]
  expect(shape, `${reply.status} ${reply.text.slice(0, 200)}`).toBeDefined()
  expect(shape?.(zod).safeParse(reply.body).error).toBeUndefined()
})

test.each(ALL)('%s gives each of its documented failures, in its words and body shape', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const failures: readonly DocumentedFailure[] = Object.values({ ...COMMON_FAILURES, ...endpoint.failures })
  const call = await GOOD[id](send, sandbox)
  for (const failure of failures) {
    const { status, message } = failure
    const pattern = `${endpoint.method} ${endpoint.path}`
    await control.addFault({ endpoint: pattern, effect: { kind: 'status', status, message }, next: 1 })
    const reply = await perform(send, sandbox, endpoint, call)
    expect(reply.status).toBe(status)
    const isProblem = failure.body === 'problem'
    if (isProblem) expect(problemDetails(zod).safeParse(reply.body).error).toBeUndefined()
    else expect(Object.keys(reply.body)).toEqual(['message'])
    expect(reply.body[isProblem ? 'detail' : 'message']).toMatch(wordsOf(message))
    await control.clearFaults()
  }
})

/** The words of a message, with the values of the request in it, or without those that the request does not have. */
function wordsOf(message: string): RegExp {
  const parts = message.split(/ ?'\{\w+\}'| ?\{\w+\}/).map((part) => part.trim().replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^{}]*')}$`)
}

test.each(ALL)('%s sends the event that its contract says it causes, and no other', async (id, endpoint) => {
  const { sandbox, send } = await freshSandbox({ background: true })
  const control = await openControl({ baseUrl: sandbox.baseUrl })
  const call = await GOOD[id](send, sandbox)
  for (const event of WEBHOOK_EVENTS) await send('POST', '/Webhooks', { ...SUBSCRIBED, event })
  await perform(send, sandbox, endpoint, call)
  const events = (await control.listDeliveries()).map(({ event }) => event)
  expect(events).toEqual(endpoint.causes ? [endpoint.causes] : [])
})

test('a handler only finds the records that its endpoint touches, and only announces the event that it causes', () => {
  const looking: Handler<typeof getGiftCard> = ({ store, announce }) => {
    // @ts-expect-error: a gift card has no bookings
    findBooking(store, '1')
    // @ts-expect-error: a read causes nothing
    announce('1')
    return { status: 200 }
  }
  expect(typeof looking).toBe('function')
})

test('a handler cannot refuse with what its endpoint does not document, nor answer with another status', () => {
  const refusing: Handler<typeof getGiftCard> = ({ refuse }) => {
    // @ts-expect-error: a sale can be a duplicate, a gift card cannot
    throw refuse('duplicate')
  }
  // @ts-expect-error: 201 is no documented answer of a read
  const answering: Handler<typeof getGiftCard> = () => ({ status: 201 })
  expect([typeof refusing, typeof answering]).toEqual(['function', 'function'])
})
