/** The events that a webhook can subscribe to. Source: "Events". */
export const WEBHOOK_EVENTS = [
  'BOOKING_CREATED',
  'BOOKING_UPDATED',
  'GIFTCARDS_CREATED',
  'GIFTCARDS_UPDATED',
  'GIFTCARDS_CANCELLED',
  'GIFTCARDS_REDEEMED',
] as const

/** One of {@link WEBHOOK_EVENTS}. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
