import type { EndpointId, Endpoints } from '../contract/endpoints.ts'
import { getBookingHandler, listBookingsHandler } from './bookings.ts'
import type { Handler } from './exchange.ts'
import { cancelHandler, getGiftCardHandler, redeemHandler } from './giftcards.ts'
import { createReservationHandler } from './reservations.ts'
import { scheduleHandler } from './schedule-handler.ts'
import { STATUSES } from './venue.ts'

/** Every endpoint of the contract has a handler, or this does not compile. */
export type Handlers = { readonly [Id in EndpointId]: Handler<Endpoints[Id]> }

export const HANDLERS: Partial<Handlers> = {
  'bookings.list': listBookingsHandler,
  'bookings.get': getBookingHandler,
  'bookings.schedule': scheduleHandler,
  'bookings.statuses': () => ({ status: 200, body: STATUSES }),
  'reservations.create': createReservationHandler,
  'giftcards.get': getGiftCardHandler,
  'giftcards.redeem': redeemHandler,
  'giftcards.cancel': cancelHandler,
}
