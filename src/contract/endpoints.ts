import { getSchedule, listTables } from './bookings/availability.ts'
import { getBooking, listBookings } from './bookings/booking.ts'
import { createBooking, updateBooking, updatePax, updateStatus, updateTables } from './bookings/changes.ts'
import { createReservation } from './bookings/reservations.ts'
import { listBookingStatuses } from './bookings/statuses.ts'
import { listCustomers, unsubscribeCustomer } from './customers.ts'
import { cancelGiftCard, getGiftCard, listGiftCards, redeemGiftCard } from './giftcards.ts'
import { inboundBalance, inboundEvent, inboundRedeem } from './inbound.ts'
import { createSale, listSales } from './sales.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts'

/** Every endpoint by its id, for the sandbox, the docs and the tests. Commands import only the endpoints that they call. */
export const ENDPOINTS = {
  [listBookings.id]: listBookings,
  [getBooking.id]: getBooking,
  [createBooking.id]: createBooking,
  [updateBooking.id]: updateBooking,
  [updatePax.id]: updatePax,
  [updateStatus.id]: updateStatus,
  [updateTables.id]: updateTables,
  [getSchedule.id]: getSchedule,
  [listTables.id]: listTables,
  [listBookingStatuses.id]: listBookingStatuses,
  [createReservation.id]: createReservation,
  [getGiftCard.id]: getGiftCard,
  [listGiftCards.id]: listGiftCards,
  [redeemGiftCard.id]: redeemGiftCard,
  [cancelGiftCard.id]: cancelGiftCard,
  [createSale.id]: createSale,
  [listSales.id]: listSales,
  [listCustomers.id]: listCustomers,
  [unsubscribeCustomer.id]: unsubscribeCustomer,
  [listWebhooks.id]: listWebhooks,
  [getWebhook.id]: getWebhook,
  [createWebhook.id]: createWebhook,
  [updateWebhook.id]: updateWebhook,
  [deleteWebhook.id]: deleteWebhook,
  [inboundRedeem.id]: inboundRedeem,
  [inboundBalance.id]: inboundBalance,
  [inboundEvent.id]: inboundEvent,
} as const

export type Endpoints = typeof ENDPOINTS
export type EndpointId = keyof Endpoints
