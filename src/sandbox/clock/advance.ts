import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxState } from '../state.ts'
import { IS_LINKED_SQL, type Store } from '../store/store.ts'

/** The time limit, in milliseconds, for advancing in steps. Webhooks that are still due then are delivered later. */
const STEPS_LIMIT_MS = 60_000
const POLL_INTERVAL_MS = 10

/**
 * Advances the clock by at most `byMs`, in steps. Each step ends when the next gift card expires or the next webhook is
 * due. Returns how far the clock was advanced. The caller must advance it by the remaining time.
 */
export async function advanceStepwise(state: SandboxState, byMs: number): Promise<number> {
  // Update the diary now, so that its content does not depend on when it is first read.
  state.diary()
  const deliverer = new Deliverer(state)
  const end = monotonicMs() + STEPS_LIMIT_MS
  let moved = 0
  while (monotonicMs() < end) {
    await deliverer.deliverDue()
    await waitForOtherAttempts(state, end)
    const now = state.settings().clock.now()
    const next = findNextDue(state.store, now)
    if (next === null || moved + next - now > byMs) break
    state.stepClock(next - now)
    moved += next - now
  }
  return moved
}

/**
 * Returns the next time after `now` when a webhook is due or a gift card expires, or `null` if there is none. Ignores
 * gift cards if there is no subscription to their changes.
 */
function findNextDue(store: Store, now: number): number | null {
  const row = store.get(
    `SELECT min(at) AS at FROM (
       SELECT min(due) AS at FROM deliveries WHERE due > ?
       UNION ALL SELECT min(expires) FROM gift_cards WHERE status = 'Active' AND expires > ? AND ${IS_LINKED_SQL}
         AND EXISTS (SELECT 1 FROM subscriptions WHERE event = 'GIFTCARDS_UPDATED'))`,
    ...[now, now, store.linkedLocations],
  )
  return typeof row?.['at'] === 'number' ? row['at'] : null
}

/** Waits until the other processes that serve this venue have finished their delivery attempts. */
async function waitForOtherAttempts(state: SandboxState, end: number): Promise<void> {
  const pending = 'SELECT 1 FROM deliveries WHERE due <= ? AND claimed_until >= ? LIMIT 1'
  const isPending = () => state.store.get(pending, state.settings().clock.now(), Date.now()) !== undefined
  while (isPending() && monotonicMs() < end) await pause(POLL_INTERVAL_MS)
}
