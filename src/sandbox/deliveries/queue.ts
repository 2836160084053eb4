import type { WebhookEvent } from '../../contract/events.ts'
import type { Store } from '../store/store.ts'
import { VENUE } from '../venue/venue.ts'

/** How often an event is delivered, and how long after it happened. */
export interface DeliveryPlan {
  readonly times: number
  readonly delayMs: number
}

/** Once, without delay. */
export const USUAL_PLAN: DeliveryPlan = { times: 1, delayMs: 0 }

/**
 * Queues an event for its subscriber, if there is one. `subject` is the booking's ID or the card's number. Queue it in the
 * transaction of the change, so that neither is ever kept without the other.
 */
export function queueEvent(
  store: Store,
  event: WebhookEvent,
  subject: string,
  now: number,
  { times, delayMs }: DeliveryPlan = USUAL_PLAN,
): void {
  for (let left = times; left > 0; left--)
    store.run(
      `INSERT INTO deliveries (event, subject, location, created, due)
       SELECT event, ?, location, ?, ? FROM subscriptions WHERE location = ? AND event = ?`,
      subject,
      now,
      now + delayMs,
      VENUE.id,
      event,
    )
}
