import { type Lock, lockedFailure, readLockHolder, tryLock } from '../base/storage/lock.ts'
import { pause } from '../http/client/retry.ts'
import type { Holder, HoldOptions } from './copy.ts'

const STANDBY_MS = 500

/**
 * Locks and opens a copy. If `standby` is set, waits for the lock. Otherwise, throws LOCKED, naming the holder, if the
 * copy is locked. Throws Interrupted while waiting if the signal is aborted.
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
  for (let hasReported = false; ; hasReported = true) {
    const lock = tryLock(path, { command })
    if (lock !== null) return lock
    if (!standby || !hasReported) {
      const failure = await lockedFailure(path, what)
      if (!standby) throw failure
      await say(`${failure.words}; waiting for it to end`)
    }
    // The wait is random so that several standby processes do not retry at the same time.
    await pause(STANDBY_MS * (1 + Math.random() / 4), { signal, now: Date.now })
  }
}

/** Returns a lock's holder, or `null` if the lock is free. */
export function holderOf(path: string): Holder | null {
  const holder = readLockHolder(path)
  return holder && { who: `process ${holder.pid} (${holder.command})`, since: holder.since }
}
