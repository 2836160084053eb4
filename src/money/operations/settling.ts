import { getLiveness } from '../../base/storage/owner.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Operation } from './operation.ts'

/** How long, in milliseconds, the service might still be processing a write after its last attempt. */
export const SETTLING_MS = 60_000

/**
 * How long, in milliseconds, a claim lasts if its process is in another container. After that, any process can drop the
 * claim. The ledger drops another machine's claim one minute after the claim's deadline.
 */
const UNSEEN_CLAIM_MS = 10 * 60_000

type Claim = Pick<Operation, 'phase' | 'owner' | 'startedAt' | 'attemptMs'>

type Attempt = Claim & Pick<Operation, 'sent' | 'attemptMs' | 'over'>

/**
 * Returns whether a process might still be sending the write. If the process cannot be observed, assumes that it is
 * sending until the attempt's time limit has passed.
 */
export function mayBeInProgress(attempt: Attempt, now: Moment): boolean {
  const { owner, phase, sent, attemptMs, over } = attempt
  const liveness = getLiveness(owner)
  // A process can keep running after its attempt has ended, so check `over` too.
  if (liveness !== 'out-of-sight') return liveness === 'running' && over === null
  if (phase === 'claimed') return !wasNeverSent(attempt, now)
  return over === null && (sent === null || leastElapsedMs(sent, now) <= attemptMs)
}

/**
 * Returns the minimum time, in milliseconds, since the last attempt ended, or 0 if the attempt might still be running.
 */
export function quietMs(attempt: Attempt, now: Moment): number {
  if (mayBeInProgress(attempt, now)) return 0
  const { over, sent, attemptMs } = attempt
  return Math.max(
    0,
    over === null ? 0 : leastElapsedMs(over, now),
    sent === null ? 0 : leastElapsedMs(sent, now) - attemptMs,
  )
}

/**
 * Returns whether a claimed write can no longer be sent. This is so if its process has exited, or if the process cannot
 * be observed and the claim is too old.
 */
export function wasNeverSent({ phase, owner, startedAt, attemptMs }: Claim, now: Moment): boolean {
  if (phase !== 'claimed') return false
  const liveness = getLiveness(owner)
  const mostMs = owner.otherHost === undefined ? UNSEEN_CLAIM_MS : attemptMs + SETTLING_MS
  return liveness === 'gone' || (liveness === 'out-of-sight' && now.wallMs - startedAt > mostMs)
}
