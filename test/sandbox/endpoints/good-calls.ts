import type { Endpoint } from '../../../src/contract/endpoint.ts'
import type { EndpointId } from '../../../src/contract/endpoints.ts'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'
import { sign } from '../../../src/signing/signature.ts'
import { API_ENVIRONMENT, apiPair, argumentsOf } from '../../support/api-page.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { freeTime, GUEST, type Send, saleOf } from '../fresh-sandbox.ts'

const TIME = '2026-11-20 18:00'
export const SUBSCRIBED = { event: 'BOOKING_CREATED', webhookUrl: 'https://receiver.example/hook' }

const TABLE = { name: 'T1', section: 'Main Dining' }

type Call = { readonly path: string; readonly body?: unknown }

const walkInCall = (member: string, body?: object) => async (send: Send) => ({
  path: `/Bookings/${await createWalkIn(send)}${member}`,
  ...(body && { body }),
})

/**
 * Valid calls that work at any venue. They replace calls in docs/api.md that refer to a record of one particular
 * sandbox.
 */
const OWN_CALLS: { readonly [Id in EndpointId]?: (send: Send) => Promise<Call> } = {
  'bookings.get': walkInCall(''),
  'bookings.update': async (send) => {
    return { path: '/Bookings/UpdateBookingAsync', body: { bookingId: await createWalkIn(send), time: TIME } }
  },
  'bookings.update-pax': walkInCall('/updatepax', { pax: 3 }),
  'bookings.update-status': walkInCall('/updatestatus', { status: 'ARRIVED' }),
  'bookings.update-tables': walkInCall('/updatetables', { tables: [TABLE], allowTableBookingConflict: true }),
  'reservations.create': async (send) => ({
    path: '/Reservations',
    body: { numOfPeople: 2, ...(await freeTime(send, 2)), customer: GUEST },
  }),
  'sales.create': async (send) => {
    return { path: '/Sales', body: saleOf('conformance-1', { bookingId: await createWalkIn(send) }) }
  },
  'customers.unsubscribe': async (send) => ({
    path: `/Customers/${(await send('GET', '/Customers?Limit=1')).body.items[0].id}/unsubscribe`,
  }),
  'webhooks.get': async (send) => ({ path: await subscribe(send) }),
  'webhooks.create': async () => ({ path: '/Webhooks', body: SUBSCRIBED }),
  'webhooks.update': async (send) => ({ path: await subscribe(send), body: { webhookUrl: 'https://b.example' } }),
  'webhooks.delete': async (send) => ({ path: await subscribe(send) }),
}

export async function goodCall(id: EndpointId, send: Send): Promise<Call> {
  const own = OWN_CALLS[id]
  if (own) return own(send)
  const env = { ...freshHome(), ...API_ENVIRONMENT }
  const run = await runPartner([...argumentsOf(apiPair(id).rawCall), '--dry-run', '--json'], { env })
  const { url, body } = JSON.parse(run.stdout)
  return { path: url.slice(API_ENVIRONMENT.PARTNER_BASE_URL.length), ...(body === null ? {} : { body }) }
}

async function createWalkIn(send: Send): Promise<string> {
  return (await send('POST', '/Bookings', { numOfPeople: 2, time: TIME })).body.bookingId
}

async function subscribe(send: Send): Promise<string> {
  await send('POST', '/Webhooks', SUBSCRIBED)
  return `/Webhooks/${SUBSCRIBED.event}`
}

/** Sends a call with an API key or a signature, depending on what its endpoint requires. */
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
