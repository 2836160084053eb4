import { type Lock, type LockHolder, lockedFailure, readLockHolder, tryLock } from '../base/storage/lock.ts'
import { pause } from '../http/client/retry.ts'
import type { Holder, HoldOptions } from './copy.ts'

/** The command that compacts a log. It locks the log only while it replaces the file. */
export const COMPACT_COMMAND = 'bookings sync compact'

const STANDBY_MS = 500
const COMPACTING_MS = 20

/**
 * Locks and opens a copy. If another run holds the lock, throws LOCKED, naming the holder. With `standby`, waits for
 * the lock instead. Throws Interrupted if the signal is aborted during the wait.
 */
export async function openLocked<T>(
  path: string,
  what: string,
  options: HoldOptions,
  open: (lock: Lock) => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(path, what, options)
  try {
    return await open(lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function acquireLock(path: string, what: string, { command, standby, signal, say }: HoldOptions): Promise<Lock> {
  let hasReported = false
  for (let attempt = 1; ; attempt++) {
    const lock = tryLock(path, { command })
    if (lock !== null) return lock
    const failure = await lockedFailure(path, what)
    const { holder } = failure.details as { readonly holder: LockHolder | null }
    // If the holder is unknown, it may have been a compaction that has already released the lock. Try again once.
    const isCompacting = holder === null ? attempt === 1 : holder.command === COMPACT_COMMAND
    if (!isCompacting && !standby) throw failure
    if (!isCompacting && !hasReported) {
      await say(`${failure.words}; waiting for it to end`)
      hasReported = true
    }
    // The wait is random so that several standby processes do not retry at the same time.
    const waitMs = isCompacting ? COMPACTING_MS : STANDBY_MS
    await pause(waitMs * (1 + Math.random() / 4), { signal, now: Date.now })
  }
}

/** Returns a lock's holder, or `null` if the lock is free. */
export function holderOf(path: string): Holder | null {
  const holder = readLockHolder(path)
  return holder && { who: `process ${holder.pid} (${holder.command})`, since: holder.since }
}
