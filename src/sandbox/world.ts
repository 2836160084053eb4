import type { WebhookEvent } from '../contract/webhooks.ts'
import type { Clock } from './clock/clock.ts'
import type { Store } from './store/store.ts'

/** All that a handler may touch: the state, the time, and the way to say that something happened. */
export interface World {
  readonly store: Store
  readonly clock: Clock
  /** Tells subscribers; `subject` is the booking's ID or the card's number. It is kept with the change itself. */
  emit(event: WebhookEvent, subject: string): void
}
