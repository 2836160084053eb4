import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxState } from '../state.ts'
import { LINKED, type Store } from '../store/store.ts'

/** How long the attempts at all moments may take. What is left is made when the new time has come. Milliseconds. */
const ALL_MOMENTS_MS = 60_000
const LOOK_EVERY_MS = 10

/**
 * Goes through the next `byMs` milliseconds of the venue's time, from one moment at which something falls due to the next: cards
 * expire and webhooks are tried at the time at which they should be. Returns how far the clock has been moved; the caller moves
 * it the rest of the way.
 */
export async function passThrough(state: SandboxState, byMs: number): Promise<number> {
  // What happened before must not depend on when somebody first looks.
  state.diary()
  const deliverer = new Deliverer(state)
  const end = monotonicMs() + ALL_MOMENTS_MS
  let moved = 0
  while (monotonicMs() < end) {
    await deliverer.deliverDue()
    await untilOthersAreDone(state, end)
    const now = state.settings().clock.now()
    const next = nextMoment(state.store, now)
    if (next === null || moved + next - now > byMs) break
    state.stepClock(next - now)
    moved += next - now
  }
  return moved
}

/** When something falls due after `now`; null when nothing does. Cards expire quietly when nobody has subscribed to that. */
function nextMoment(store: Store, now: number): number | null {
  const row = store.get(
    `SELECT min(at) AS at FROM (
       SELECT min(due) AS at FROM deliveries WHERE due > ?
       UNION ALL SELECT min(expires) FROM gift_cards WHERE status = 'Active' AND expires > ? AND ${LINKED}
         AND EXISTS (SELECT 1 FROM subscriptions WHERE event = 'GIFTCARDS_UPDATED'))`,
    now,
    now,
    store.linkedLocations,
  )
  return typeof row?.['at'] === 'number' ? row['at'] : null
}

/** Waits for attempts that were begun elsewhere: another process may serve the same venue. */
async function untilOthersAreDone(state: SandboxState, end: number): Promise<void> {
  const isUnderWay = () =>
    state.store.get(
      'SELECT 1 FROM deliveries WHERE due <= ? AND claimed_until >= ? LIMIT 1',
      state.settings().clock.now(),
      Date.now(),
    ) !== undefined
  while (isUnderWay() && monotonicMs() < end) await pause(LOOK_EVERY_MS)
}
