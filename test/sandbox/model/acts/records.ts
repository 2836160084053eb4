import fc from 'fast-check'
import { EVENTS } from '../rules/events.ts'
import { iso, type Model } from '../state.ts'
import { makePlan, maybe, nth, type RequestMaker, weighted, withoutUndefined } from './act.ts'
import { BOOKING, bookingId, statusOf } from './bookings.ts'
import { AROUND } from './cards.ts'

const CENTS = fc.constantFrom(0, 1, 999, 12_345, -500)
const price = (amount: number | undefined) => (amount === undefined ? undefined : { amount, currency: 'AUD' })

/** A sale ID, or `again` for the ID of the most recent sale. */
const SALE_ID = fc.constantFrom('S-a', 'S-b', 'S-c', 'again', 'again')
const saleIdOf = (model: Model, drawn: string | undefined) =>
  drawn === 'again' ? (latestSale(model)?.id ?? 'S-a') : drawn

export const latestSale = ({ sales }: Model) => sales.toSorted((a, b) => a.received - b.received).at(-1)

const SALE = {
  saleId: SALE_ID,
  type: weighted([20, fc.constantFrom('SALE', 'SALE', 'SALE', 'REFUND', 'VOID')], [1, fc.constant('GIFT')]),
  booking: maybe(BOOKING, 3),
  table: maybe(fc.constantFrom('T1', 'T2', 'T4', 'T4', 'nowhere'), 4),
  near: fc.nat(20),
  minutes: fc.constantFrom(-61, -60, 0, 60, 60, 90, 200, 720, 721),
  status: maybe(weighted([4, fc.nat(7)], [1, fc.constant('MAYBE')])),
  closed: maybe(fc.constantFrom(0, 30)),
  total: maybe(CENTS, 6),
  payments: maybe(fc.array(CENTS, { minLength: 1, maxLength: 2 })),
  tax: maybe(fc.constantFrom(0, 91)),
  without: weighted(
    [25, fc.constant(undefined)],
    [1, fc.constantFrom('origin', 'source', 'type', 'openedZonedDateTime', 'staff', 'table')],
  ),
}

const MINUTE = 60_000

/** The start or end of a date range: a time near a sale's closing time, an invalid date, or no date. */
const END = weighted(
  [8, fc.record({ nth: fc.nat(5), by: AROUND, far: fc.boolean() })],
  [1, fc.constantFrom('soon', undefined)],
)

function endOf(model: Model, drawn: string | undefined | { nth: number; by: number; far: boolean }, way: 1 | -1) {
  if (typeof drawn !== 'object') return drawn
  const at = (nth(model.sales, drawn.nth)?.closed ?? model.now) + drawn.by
  return iso(drawn.far ? at + way * 900 * 1440 * MINUTE : at)
}

const PAGE = { Limit: maybe(fc.constantFrom('1', '2', '0', '1000')), StartIndex: maybe(fc.constantFrom('1', '9')) }

const TABLE_SALE = {
  ...SALE,
  booking: fc.constant(undefined),
  table: fc.constantFrom('its', 'T1', 'T4'),
  /** The index of a booking, or `no-show` for the last booking with that status. */
  near: weighted([2, fc.nat(20)], [1, fc.constant('no-show' as const)]),
  minutes: fc.constantFrom(0, 60, 90),
}

type DrawnOf<Record> = { [Name in keyof Record]: Record[Name] extends fc.Arbitrary<infer Drawn> ? Drawn : never }

const sell: RequestMaker<DrawnOf<typeof SALE> | DrawnOf<typeof TABLE_SALE>> = (drawn, model) => {
  const booking =
    drawn.near === 'no-show'
      ? model.bookings.findLast(({ status }) => status === 'NOSHOW')
      : nth(model.bookings, drawn.near)
  const opened = (booking?.starts ?? model.now) + drawn.minutes * MINUTE
  const own = model.venue.tables.find(({ id }) => id === booking?.tableIds[0])?.name
  const body = withoutUndefined({
    origin: { saleId: saleIdOf(model, drawn.saleId) },
    source: { type: 'POS' },
    type: drawn.type,
    openedZonedDateTime: iso(opened),
    closedZonedDateTime: drawn.closed === undefined ? undefined : iso(opened + drawn.closed * MINUTE),
    staff: { id: 'anna' },
    table: withoutUndefined({ seats: 2, number: drawn.table === 'its' ? own : drawn.table }),
    bookingId: drawn.booking === undefined ? undefined : bookingId(model, drawn.booking),
    status: statusOf(model, drawn.status),
    total: price(drawn.total),
    tax: price(drawn.tax),
    payments: drawn.payments?.map((amount) => ({ method: 'CARD', goodsAndServicesAmount: price(amount) })),
  })
  if (drawn.without !== undefined) delete body[drawn.without]
  return { endpoint: 'sales.create', body }
}

const INBOUND_EVENT = fc.record({
  eventType: fc.constantFrom('sale.paid', 'sale.paid', 'webhooks.test_notification'),
  saleId: maybe(SALE_ID, 9),
  booking: maybe(BOOKING),
  total: maybe(CENTS, 6),
})

export const SALE_PLANS = {
  sell: makePlan('sell', fc.record(SALE), sell),
  sellAtTable: makePlan('sell at a table', fc.record(TABLE_SALE), sell),
  list: makePlan('list sales', fc.record({ from: END, to: END, ...PAGE }), ({ from, to, ...page }, model) => ({
    endpoint: 'sales.list',
    query: withoutUndefined({ StartDate: endOf(model, from, -1), EndDate: endOf(model, to, 1), ...page }),
  })),
  inboundEvent: makePlan('inbound event', INBOUND_EVENT, ({ eventType, saleId, booking, total }, model) => ({
    endpoint: 'inbound.event',
    parameters: { eventType },
    body: withoutUndefined({
      saleId: saleIdOf(model, saleId),
      bookingId: booking === undefined ? undefined : bookingId(model, booking),
      total: price(total),
    }),
  })),
}

/** A customer's index, or an ID that does not exist. */
const CUSTOMER = weighted([9, fc.nat(4)], [1, fc.constantFrom('nobody', 'walk-in')])
const customerId = ({ customers }: Model, drawn: number | string) =>
  typeof drawn === 'string' ? drawn : (nth(customers, drawn)?.id ?? 'nobody')

const CUSTOMER_LIST = fc.record({
  ...PAGE,
  Sort: maybe(fc.constantFrom('asc', 'desc', 'up')),
  CustomerId: weighted([5, fc.constant(undefined)], [1, CUSTOMER]),
  from: maybe(fc.oneof(fc.record({ nth: fc.nat(4), by: AROUND }), fc.constant('soon' as const))),
  to: maybe(fc.record({ nth: fc.nat(4), by: AROUND })),
})

export const CUSTOMER_PLANS = {
  list: makePlan('list customers', CUSTOMER_LIST, ({ from, to, CustomerId, ...rest }, model) => {
    const end = (drawn: typeof from) =>
      typeof drawn === 'string'
        ? drawn
        : drawn && iso((nth(model.customers, drawn.nth)?.modified ?? model.now) + drawn.by)
    const id = CustomerId === undefined ? undefined : customerId(model, CustomerId)
    const query = withoutUndefined({ ...rest, CustomerId: id, DateUpdatedStart: end(from), DateUpdatedEnd: end(to) })
    return { endpoint: 'customers.list', query }
  }),
  unsubscribe: makePlan('unsubscribe', CUSTOMER, (customer, model) => ({
    endpoint: 'customers.unsubscribe',
    parameters: { id: customerId(model, customer) },
  })),
}

/** The name of an event. Some events are drawn more often than others. */
const EVENT = weighted(
  [4, fc.constantFrom('BOOKING_UPDATED', 'GIFTCARDS_REDEEMED')],
  [4, fc.constantFrom<string>(...EVENTS)],
  [1, fc.constant('NOPE')],
)
/** The index of an event that has a subscription, or the name of any event. */
const SUBSCRIBED = weighted([4, fc.nat(5)], [1, EVENT])
const eventOf = ({ subscriptions }: Model, drawn: number | string) =>
  typeof drawn === 'string' ? drawn : (nth([...subscriptions.keys()].sort(), drawn) ?? 'BOOKING_CREATED')

const URLS = weighted(
  [10, fc.constantFrom('/ok', '/ok', '/ok', '/busy', '/busy', '/cut')],
  [2, fc.constant('https://a.invalid/hook')],
  [1, fc.constantFrom('ftp://a.example', 'nonsense', '', undefined)],
)

/**
 * Returns the URL for a subscription, which is usually one of the receiver's. Uses a host under `.invalid` only for
 * gift card events. For other events, the service would accept the host and send webhooks to it.
 */
function urlOf(event: string, drawn: string | undefined, origin: string): string | undefined {
  if (drawn?.startsWith('/')) return origin + drawn
  return drawn?.includes('.invalid') && !event.startsWith('GIFTCARDS') ? `${origin}/ok` : drawn
}

const CREDENTIALS = {
  securityKey: maybe(fc.constantFrom('open-sesame', 'other-key'), 3),
  securityToken: maybe(fc.constantFrom('token-1', 'token-2')),
}

const SUBSCRIPTION = fc.record({ event: EVENT, url: URLS, ...CREDENTIALS })
const NEW_SUBSCRIPTION = fc.record({
  event: SUBSCRIBED,
  url: fc.oneof(fc.constantFrom(undefined, undefined, 'https://a.invalid/hook'), URLS),
  ...CREDENTIALS,
})

export const WEBHOOK_PLANS = {
  subscribe: makePlan('subscribe', SUBSCRIPTION, ({ event, url, ...credentials }, _model, origin) => ({
    endpoint: 'webhooks.create',
    body: withoutUndefined({ event, webhookUrl: urlOf(event, url, origin), ...credentials }),
  })),
  update: makePlan('update webhook', NEW_SUBSCRIPTION, ({ event, url, ...credentials }, model, origin) => {
    const name = eventOf(model, event)
    const body = withoutUndefined({ webhookUrl: urlOf(name, url, origin), ...credentials })
    return { endpoint: 'webhooks.update', parameters: { event: name }, body }
  }),
  get: makePlan('get webhook', SUBSCRIBED, (event, model) => ({
    endpoint: 'webhooks.get',
    parameters: { event: eventOf(model, event) },
  })),
  list: makePlan('list webhooks', fc.constant(null), () => ({ endpoint: 'webhooks.list' })),
  remove: makePlan('delete webhook', fc.oneof(SUBSCRIBED, fc.constant('waiting')), (event, model) => {
    // If 'waiting' was drawn, delete the subscription of an event that has a pending delivery.
    const waiting = event === 'waiting' ? model.deliveries.findLast(({ due }) => due !== null)?.event : undefined
    return { endpoint: 'webhooks.delete', parameters: { event: waiting ?? eventOf(model, event) } }
  }),
}
