import { AVAILABILITY_ENDPOINTS } from './bookings/availability.ts'
import { BOOKINGS_ENDPOINTS } from './bookings/booking.ts'
import { CHANGES_ENDPOINTS } from './bookings/changes.ts'
import { RESERVATIONS_ENDPOINTS } from './bookings/reservations.ts'
import { STATUSES_ENDPOINTS } from './bookings/statuses.ts'
import { CUSTOMERS_ENDPOINTS } from './customers.ts'
import { GIFT_CARDS_ENDPOINTS } from './giftcards.ts'
import { INBOUND_ENDPOINTS } from './inbound.ts'
import { SALES_ENDPOINTS } from './sales.ts'
import { WEBHOOKS_ENDPOINTS } from './webhooks.ts'

/**
 * All endpoints by ID, for the sandbox, the docs and the tests. Commands import only those endpoints that they call.
 */
export const ENDPOINTS = {
  ...BOOKINGS_ENDPOINTS,
  ...CHANGES_ENDPOINTS,
  ...AVAILABILITY_ENDPOINTS,
  ...STATUSES_ENDPOINTS,
  ...RESERVATIONS_ENDPOINTS,
  ...GIFT_CARDS_ENDPOINTS,
  ...SALES_ENDPOINTS,
  ...CUSTOMERS_ENDPOINTS,
  ...WEBHOOKS_ENDPOINTS,
  ...INBOUND_ENDPOINTS,
} as const

export type Endpoints = typeof ENDPOINTS
export type EndpointId = keyof Endpoints
