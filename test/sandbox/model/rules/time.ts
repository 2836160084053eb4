import { Difference } from '../expected-response.ts'
import { difference } from '../pattern.ts'
import { type Delivery, iso, type Model } from '../state.ts'
import { expireCards } from './cards.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * The delays after failed attempts, in milliseconds. They are assumptions, because the specification says "Delivery
 * guarantees (retries, ordering, timeouts): not shown".
 */
const RETRY_DELAYS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 24 * HOUR]

/**
 * The status that the receiver returns for each path. `null` if it closes the connection. The specification says "a
 * non-2xx answer is retried".
 */
export const RECEIVER: Readonly<Record<string, number | null>> = { '/ok': 200, '/busy': 503, '/cut': null }

/**
 * Moves the clock, expires cards and delivers the events that become due. Moving the clock back does not undo anything.
 * All of these effects are assumptions.
 */
export function moveClock(model: Model, to: number): void {
  model.arrivals = []
  for (;;) {
    deliverDue(model)
    const next = findNextDue(model)
    if (next === null || next > to) break
    model.now = next
    expireCards(model)
  }
  model.now = to
  expireCards(model)
  deliverDue(model)
}

/**
 * Returns the next time at which a delivery is due or an active card expires, or `null` if there is none. Ignores
 * expiries if their event has no subscriber.
 */
function findNextDue({ now, deliveries, cards, subscriptions }: Model): number | null {
  const due = deliveries.flatMap(({ due: at }) => at ?? [])
  const ends = [...cards.values()].filter(({ status }) => status === 'Active').map(({ expires }) => expires)
  const moments = [...due, ...(subscriptions.has('GIFTCARDS_UPDATED') ? ends : [])].filter((at) => at > now)
  return moments.length === 0 ? null : Math.min(...moments)
}

function deliverDue(model: Model): void {
  for (const delivery of model.deliveries)
    if (delivery.due !== null && delivery.due <= model.now) attempt(model, delivery)
}

/** Sends an event to its current subscriber with the current credentials. */
function attempt(model: Model, delivery: Delivery): void {
  const subscription = model.subscriptions.get(delivery.event)
  if (!subscription) {
    delivery.due = null
    return
  }
  const { url, securityKey, securityToken } = subscription
  const path = new URL(url).pathname
  const { event, subject, attempts } = delivery
  model.arrivals.push({ path, event, subject, securityKey, securityToken })
  attempts.push({ at: model.now, status: RECEIVER[path] ?? null })
  const wait = RETRY_DELAYS_MS[attempts.length - 1]
  delivery.due = isDelivered(delivery) || wait === undefined ? null : model.now + wait
}

function isDelivered({ attempts }: Delivery): boolean {
  const status = attempts.at(-1)?.status ?? 0
  return status >= 200 && status < 300
}

function stateOf(delivery: Delivery): string {
  if (delivery.due !== null) return 'pending'
  if (isDelivered(delivery)) return 'delivered'
  return delivery.attempts.length > RETRY_DELAYS_MS.length ? 'failed' : 'dropped'
}

/** Compares the sandbox's list of deliveries with the model's. Simultaneous deliveries can be in any order. */
export function checkDeliveries(model: Model, listed: readonly Record<string, unknown>[]): void {
  const expected = model.deliveries.map((delivery) => ({
    event: delivery.event,
    subject: delivery.subject,
    created: iso(delivery.created),
    state: stateOf(delivery),
    due: delivery.due === null ? null : iso(delivery.due),
    attempts: delivery.attempts.map(({ at, status }) => ({ at: iso(at), status })),
  }))
  const actual = listed.map(({ id: _id, attempts, ...rest }) => ({
    ...rest,
    attempts: (attempts as { at: string; status: number | null }[]).map(({ at, status }) => ({ at, status })),
  }))
  expectEqual(sorted(expected), sorted(actual), 'the deliveries')
}

/** Compares the webhooks received since the clock was last moved with the expected ones. */
export function checkArrivals({ arrivals, venue }: Model, received: readonly unknown[]): void {
  const expected = arrivals.map(({ event, subject, ...rest }) => ({
    ...rest,
    // The specification says "{eventType, data: {bookingId, locationId}} for booking events and {eventType, data:
    // {cardNumber, locationId}} for gift card events".
    body: {
      eventType: event,
      data: { [event.startsWith('BOOKING') ? 'bookingId' : 'cardNumber']: subject, locationId: venue.locationId },
    },
  }))
  expectEqual(sorted(expected), sorted(received), 'the received webhooks')
}

function expectEqual(expected: unknown, actual: unknown, what: string): void {
  const found = difference(expected, actual, what)
  if (found) throw new Difference(found)
}

const sorted = (list: readonly unknown[]) => list.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))

function sortKey(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
