import { IS_LINKED_SQL, type Row, type Store } from '../store/store.ts'
import { HOUR, MINUTE } from '../venue/time.ts'
import type { DeliveryAttempt } from './post.ts'

/** The delivery of one event to one subscriber. All times are on the venue's clock, in ISO 8601 UTC. */
export type Delivery = Readonly<ReturnType<typeof readDelivery>>

/** The delay before each retry, in milliseconds of the venue's time. */
const RETRY_LADDER_MS: readonly number[] = [10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 24 * HOUR]

/**
 * Records an attempt. If it failed, schedules the next attempt, unless the subscription was deleted or no retries
 * remain.
 */
export function recordAttempt(store: Store, delivery: Row, attempt: DeliveryAttempt, now: number): void {
  const attempts = [...(JSON.parse(String(delivery['attempts'])) as DeliveryAttempt[]), attempt]
  const wait = attempt.delivered ? undefined : RETRY_LADDER_MS[attempts.length - 1]
  store.run(
    `UPDATE deliveries SET attempts = ?, due = CASE WHEN due IS NULL THEN NULL ELSE ? END, claimed_until = 0
     WHERE id = ? AND event = ? AND subject = ? AND created = ?`,
    ...[JSON.stringify(attempts), wait === undefined ? null : now + wait, Number(delivery['id'])],
    // If the venue was replaced during the attempt, the ID might now belong to a different delivery.
    ...[String(delivery['event']), String(delivery['subject']), Number(delivery['created'])],
  )
}

/**
 * Cancels the pending deliveries of an event, because the subscription to it is being deleted. Source: "Other
 * endpoints".
 */
export function dropDeliveries(store: Store, event: string): void {
  store.run(
    `UPDATE deliveries SET due = NULL WHERE due IS NOT NULL AND ${IS_LINKED_SQL} AND event = ?`,
    ...[store.linkedLocations, event],
  )
}

/** Lists all deliveries, oldest first. */
export function listDeliveries(store: Store): Delivery[] {
  return store.all('SELECT * FROM deliveries ORDER BY id').map(readDelivery)
}

export function readDelivery(row: Row) {
  const attempts = JSON.parse(String(row['attempts'])) as DeliveryAttempt[]
  const due = row['due'] === null ? null : Number(row['due'])
  return {
    id: Number(row['id']),
    event: String(row['event']),
    // The ID of the booking or the number of the gift card.
    subject: String(row['subject']),
    created: new Date(Number(row['created'])).toISOString(),
    state: stateOf(due, attempts),
    // The time of the next attempt, or `null` if no attempt is planned.
    due: due === null ? null : new Date(due).toISOString(),
    attempts,
  }
}

type DeliveryState = 'pending' | 'delivered' | 'failed' | 'dropped'

function stateOf(due: number | null, attempts: readonly DeliveryAttempt[]): DeliveryState {
  if (due !== null) return 'pending'
  if (attempts.at(-1)?.delivered) return 'delivered'
  return attempts.length > RETRY_LADDER_MS.length ? 'failed' : 'dropped'
}
