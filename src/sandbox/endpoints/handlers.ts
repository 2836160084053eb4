import { BOOKING_HANDLERS } from './bookings/bookings.ts'
import { RESERVATION_HANDLERS } from './bookings/reservations.ts'
import { SCHEDULE_HANDLERS } from './bookings/schedule.ts'
import { TABLE_HANDLERS } from './bookings/tables.ts'
import { UPDATE_HANDLERS } from './bookings/updates.ts'
import { CUSTOMER_HANDLERS } from './customers.ts'
import { GIFT_CARD_HANDLERS } from './giftcards.ts'
import type { Handlers } from './handler.ts'
import { INBOUND_HANDLERS } from './inbound.ts'
import { SALE_HANDLERS } from './sales.ts'
import { WEBHOOK_HANDLERS } from './webhooks.ts'

/** The handlers of all endpoints, keyed by endpoint ID. The type requires a handler for every endpoint. */
export const HANDLERS: Handlers = {
  ...BOOKING_HANDLERS,
  ...UPDATE_HANDLERS,
  ...SCHEDULE_HANDLERS,
  ...TABLE_HANDLERS,
  ...RESERVATION_HANDLERS,
  ...GIFT_CARD_HANDLERS,
  ...SALE_HANDLERS,
  ...CUSTOMER_HANDLERS,
  ...WEBHOOK_HANDLERS,
  ...INBOUND_HANDLERS,
}
