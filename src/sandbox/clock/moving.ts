import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxState } from '../state.ts'
import { LINKED, type Store } from '../store/store.ts'

/** The time limit for attempts on the way, in milliseconds. The others are made at the new time. */
const ALL_MOMENTS_MS = 60_000
const LOOK_EVERY_MS = 10

/** Advances up to `byMs`, from one due card or webhook to the next. Returns how far; the caller advances the rest. */
export async function passThrough(state: SandboxState, byMs: number): Promise<number> {
  // The diary up to now must not depend on when it is first read.
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

/** When the next thing falls due after `now`; null for nothing. Cards count only if their changes have a subscriber. */
function nextMoment(store: Store, now: number): number | null {
  const row = store.get(
    `SELECT min(at) AS at FROM (
       SELECT min(due) AS at FROM deliveries WHERE due > ?
       UNION ALL SELECT min(expires) FROM gift_cards WHERE status = 'Active' AND expires > ? AND ${LINKED}
         AND EXISTS (SELECT 1 FROM subscriptions WHERE event = 'GIFTCARDS_UPDATED'))`,
    ...[now, now, store.linkedLocations],
  )
  return typeof row?.['at'] === 'number' ? row['at'] : null
}

/** Waits for attempts of other processes that serve the same venue. */
async function untilOthersAreDone(state: SandboxState, end: number): Promise<void> {
  const underWay = 'SELECT 1 FROM deliveries WHERE due <= ? AND claimed_until >= ? LIMIT 1'
  const isUnderWay = () => state.store.get(underWay, state.settings().clock.now(), Date.now()) !== undefined
  while (isUnderWay() && monotonicMs() < end) await pause(LOOK_EVERY_MS)
}
