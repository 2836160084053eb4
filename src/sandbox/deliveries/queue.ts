import type { WebhookEvent } from '../../contract/events.ts'
import type { Store } from '../store/store.ts'

/** How an event is delivered. A delivery can be repeated, delayed or lost. */
export interface DeliveryPlan {
  readonly times: number
  readonly delayMs: number
  /** Whether to drop the delivery before its first attempt. */
  readonly isLost: boolean
}

export const DEFAULT_DELIVERY_PLAN: DeliveryPlan = { times: 1, delayMs: 0, isLost: false }

/**
 * Queues an event for its subscriber, in the transaction that makes the change. `subject` is a booking ID or a card
 * number.
 */
export function queueEvent(
  store: Store,
  event: WebhookEvent,
  subject: string,
  now: number,
  { times, delayMs, isLost }: DeliveryPlan = DEFAULT_DELIVERY_PLAN,
): void {
  const location = locationOf(store, event, subject)
  for (let left = isLost ? 1 : times; left > 0; left--)
    store.run(
      `INSERT INTO deliveries (event, subject, location, created, due)
       SELECT event, ?, location, ?, ? FROM subscriptions WHERE location = ? AND event = ?`,
      ...[subject, now, isLost ? null : now + delayMs, location, event],
    )
}

function locationOf(store: Store, event: WebhookEvent, subject: string): string {
  if (store.venues.length === 1) return store.venue.id
  const row = event.startsWith('GIFTCARDS_')
    ? store.get('SELECT location FROM gift_cards WHERE number = ?', subject)
    : store.get('SELECT location FROM bookings WHERE id = ?', subject)
  return String(row?.['location'] ?? store.venue.id)
}
