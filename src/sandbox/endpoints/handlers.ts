import type { EndpointId, Endpoints } from '../../contract/endpoints.ts'
import { STATUSES } from '../venue/venue.ts'
import { getBookingHandler, listBookingsHandler } from './bookings/bookings.ts'
import { createReservationHandler } from './bookings/reservations.ts'
import { scheduleHandler } from './bookings/schedule.ts'
import { listTablesHandler } from './bookings/tables.ts'
import {
  createBookingHandler,
  updateBookingHandler,
  updatePaxHandler,
  updateStatusHandler,
  updateTablesHandler,
} from './bookings/updates.ts'
import { listCustomersHandler, unsubscribeHandler } from './customers.ts'
import { cancelHandler, getGiftCardHandler, listGiftCardsHandler, redeemHandler } from './giftcards.ts'
import type { Handler } from './handler.ts'
import { inboundBalanceHandler, inboundEventHandler, inboundRedeemHandler } from './inbound.ts'
import { createSaleHandler, listSalesHandler } from './sales.ts'
import {
  createWebhookHandler,
  deleteWebhookHandler,
  getWebhookHandler,
  listWebhooksHandler,
  updateWebhookHandler,
} from './webhooks.ts'

/** A table that lacks an endpoint of the contract does not compile. */
type Handlers = { readonly [Id in EndpointId]: Handler<Endpoints[Id]> }

/** The handler of each endpoint, by its id. */
export const HANDLERS: Handlers = {
  'bookings.list': listBookingsHandler,
  'bookings.get': getBookingHandler,
  'bookings.create': createBookingHandler,
  'bookings.update': updateBookingHandler,
  'bookings.update-pax': updatePaxHandler,
  'bookings.update-status': updateStatusHandler,
  'bookings.update-tables': updateTablesHandler,
  'bookings.schedule': scheduleHandler,
  'bookings.tables': listTablesHandler,
  'bookings.statuses': () => ({ status: 200, body: STATUSES }),
  'reservations.create': createReservationHandler,
  'giftcards.get': getGiftCardHandler,
  'giftcards.list': listGiftCardsHandler,
  'giftcards.redeem': redeemHandler,
  'giftcards.cancel': cancelHandler,
  'sales.create': createSaleHandler,
  'sales.list': listSalesHandler,
  'customers.list': listCustomersHandler,
  'customers.unsubscribe': unsubscribeHandler,
  'webhooks.list': listWebhooksHandler,
  'webhooks.get': getWebhookHandler,
  'webhooks.create': createWebhookHandler,
  'webhooks.update': updateWebhookHandler,
  'webhooks.delete': deleteWebhookHandler,
  'inbound.redeem': inboundRedeemHandler,
  'inbound.balance': inboundBalanceHandler,
  'inbound.event': inboundEventHandler,
}
