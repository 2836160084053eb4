import type { Model } from '../state.ts'

/** The events that a partner can subscribe to. Source: "Events". */
export const EVENTS = [
  'BOOKING_CREATED',
  'BOOKING_UPDATED',
  'GIFTCARDS_CREATED',
  'GIFTCARDS_UPDATED',
  'GIFTCARDS_CANCELLED',
  'GIFTCARDS_REDEEMED',
] as const

/**
 * Queues an event if it has a subscriber. The specification says "When the event occurs, the service sends an HTTP
 * POST". The model assumes that an event is not sent until the clock moves or the sandbox closes.
 */
export function announce(model: Model, event: (typeof EVENTS)[number], subject: string): void {
  if (!model.subscriptions.has(event)) return
  model.deliveries.push({ event, subject, created: model.now, due: model.now, attempts: [] })
}
