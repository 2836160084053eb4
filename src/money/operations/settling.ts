import { leastElapsedMs, type Moment } from './moment.ts'
import type { Operation } from './operation.ts'
import { livenessOf } from './owner.ts'

/** For so long after the last attempt was over, a service may still be at work on it. Milliseconds. */
export const SETTLING_MS = 60_000

/** A claim of a process that nobody here can see is given up after so long. Its process then fails before it sends. Milliseconds. */
const UNSEEN_CLAIM_MS = 10 * 60_000

type Claim = Pick<Operation, 'phase' | 'owner' | 'startedAt'>

type Attempt = Pick<Operation, 'owner' | 'sent' | 'attemptMs' | 'over'>

/** Whether another process may still be at the last attempt of a write. One that nobody here can see has until its deadline. */
export function mayBeUnderWay({ owner, sent, attemptMs, over }: Attempt, now: Moment): boolean {
  const liveness = livenessOf(owner)
  if (liveness === 'running') return true
  return liveness === 'out-of-sight' && over === null && (sent === null || leastElapsedMs(sent, now) <= attemptMs)
}

/**
 * For how long, at the least, the last attempt of a write has been over: since its answer was lost, since its process was first
 * seen gone, or since its deadline. Milliseconds; 0 when it may be under way.
 */
export function quietMs(attempt: Attempt, now: Moment): number {
  if (mayBeUnderWay(attempt, now)) return 0
  const { over, sent, attemptMs } = attempt
  return Math.max(
    0,
    over === null ? 0 : leastElapsedMs(over, now),
    sent === null ? 0 : leastElapsedMs(sent, now) - attemptMs,
  )
}

/** A claim whose process is gone was never sent; one that nobody has seen for long is given up, and its process cannot send it then. */
export function wasNeverSent({ phase, owner, startedAt }: Claim, now: Moment): boolean {
  if (phase !== 'claimed') return false
  const liveness = livenessOf(owner)
  return liveness === 'gone' || (liveness === 'out-of-sight' && now.wallMs - startedAt > UNSEEN_CLAIM_MS)
}
