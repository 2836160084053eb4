import { getLiveness } from '../../base/storage/owner.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Operation } from './operation.ts'

/** How long a service may still be working on a write after its last attempt, in milliseconds. */
export const SETTLING_MS = 60_000

/** How long a claim is honored if its process is not visible, in milliseconds. Then another process may drop it. */
const UNSEEN_CLAIM_MS = 10 * 60_000

type Claim = Pick<Operation, 'phase' | 'owner' | 'startedAt'>

type Attempt = Pick<Operation, 'owner' | 'sent' | 'attemptMs' | 'over'>

/** Returns whether another process may still be sending. A process that is not visible has until its deadline. */
export function mayBeInProgress({ owner, sent, attemptMs, over }: Attempt, now: Moment): boolean {
  const liveness = getLiveness(owner)
  if (liveness === 'running') return true
  return liveness === 'out-of-sight' && over === null && (sent === null || leastElapsedMs(sent, now) <= attemptMs)
}

/** Returns how long ago the last attempt certainly ended, in milliseconds, or 0 if it may still be running. */
export function quietMs(attempt: Attempt, now: Moment): number {
  if (mayBeInProgress(attempt, now)) return 0
  const { over, sent, attemptMs } = attempt
  return Math.max(
    0,
    over === null ? 0 : leastElapsedMs(over, now),
    sent === null ? 0 : leastElapsedMs(sent, now) - attemptMs,
  )
}

/** Returns whether a claimed write can no longer be sent: its process has exited, or was not visible for too long. */
export function wasNeverSent({ phase, owner, startedAt }: Claim, now: Moment): boolean {
  if (phase !== 'claimed') return false
  const liveness = getLiveness(owner)
  return liveness === 'gone' || (liveness === 'out-of-sight' && now.wallMs - startedAt > UNSEEN_CLAIM_MS)
}
