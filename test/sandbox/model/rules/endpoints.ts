import type { EndpointId } from '../../../../src/contract/endpoints.ts'
import type { Rule } from '../answer.ts'
import {
  createWalkIn,
  getBooking,
  listBookings,
  listStatuses,
  listTables,
  updateBooking,
  updatePax,
  updateStatus,
  updateTables,
} from './bookings.ts'
import { cancel, getCard, listCards, redeem } from './cards.ts'
import { listCustomers, unsubscribeCustomer } from './customers.ts'
import { inboundBalance, inboundEvent, inboundRedeem } from './inbound.ts'
import { createSale, listSales } from './sales.ts'
import { reserve, schedule } from './schedule.ts'
import { getSubscription, listSubscriptions, subscribe, unsubscribe, updateSubscription } from './webhooks.ts'

/** An endpoint, as the specification writes it. */
export interface Ruled {
  readonly method: string
  readonly path: string
  readonly rule: Rule
  /** Inbound endpoints are signed and need no key. */
  readonly isSigned: boolean
}

function on(line: string, rule: Rule): Ruled {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, rule, isSigned: path.includes('{partnerName}') }
}

/** The rule of each endpoint; one that is missing does not compile. */
export const RULES: { readonly [Id in EndpointId]: Ruled } = {
  'bookings.get': on('GET /Bookings/{id}', getBooking),
  'bookings.statuses': on('GET /Resources/booking-statuses', listStatuses),
  'reservations.create': on('POST /Reservations', reserve),
  'giftcards.redeem': on('POST /GiftCards/redeem', redeem),
  'giftcards.cancel': on('PATCH /GiftCards/cancel', cancel),
  'giftcards.get': on('GET /GiftCards/{cardNumber}', getCard),
  'webhooks.create': on('POST /Webhooks', subscribe),
  'bookings.list': on('GET /Bookings', listBookings),
  'bookings.create': on('POST /Bookings', createWalkIn),
  'bookings.schedule': on('GET /Bookings/schedule', schedule),
  'bookings.tables': on('GET /Bookings/tables', listTables),
  'bookings.update': on('POST /Bookings/UpdateBookingAsync', updateBooking),
  'bookings.update-pax': on('PATCH /Bookings/{bookingId}/updatepax', updatePax),
  'bookings.update-status': on('PATCH /Bookings/{bookingId}/updatestatus', updateStatus),
  'bookings.update-tables': on('PATCH /Bookings/{bookingId}/updatetables', updateTables),
  'customers.list': on('GET /Customers', listCustomers),
  'customers.unsubscribe': on('POST /Customers/{id}/unsubscribe', unsubscribeCustomer),
  'giftcards.list': on('GET /GiftCards', listCards),
  'sales.create': on('POST /Sales', createSale),
  'sales.list': on('GET /Sales', listSales),
  'webhooks.list': on('GET /Webhooks', listSubscriptions),
  'webhooks.get': on('GET /Webhooks/{event}', getSubscription),
  'webhooks.update': on('PUT /Webhooks/{event}', updateSubscription),
  'webhooks.delete': on('DELETE /Webhooks/{event}', unsubscribe),
  'inbound.redeem': on('POST /partners/{partnerName}/giftcards/redeem', inboundRedeem),
  'inbound.balance': on('POST /partners/{partnerName}/giftcards/balance', inboundBalance),
  'inbound.event': on('POST /Sales/partners/{partnerName}/events/{eventType}', inboundEvent),
}
