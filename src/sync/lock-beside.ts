import { type Lock, lockedFailure, readLockHolder, tryLock } from '../base/storage/lock.ts'
import { pause } from '../http/client/retry.ts'
import type { Holder, HoldOptions } from './copy.ts'

const STANDBY_MS = 500

/** Takes the lock of a copy; with `standby`, waits for it. Fails: LOCKED, naming the holder; Interrupted. */
export async function takeLock(
  path: string,
  what: string,
  { command, standby, signal, say }: Pick<HoldOptions, 'command' | 'standby' | 'signal' | 'say'>,
): Promise<Lock> {
  for (let isTold = false; ; isTold = true) {
    const lock = tryLock(path, { command })
    if (lock !== null) return lock
    if (!standby || !isTold) {
      const failure = await lockedFailure(path, what)
      if (!standby) throw failure
      await say(`${failure.words}; waiting for it to end`)
    }
    // Random waits keep several standbys apart.
    await pause(STANDBY_MS * (1 + Math.random() / 4), { signal, now: Date.now })
  }
}

/** Returns the holder of a lock; null if it is free. */
export function holderOf(path: string): Holder | null {
  const holder = readLockHolder(path)
  return holder && { who: `process ${holder.pid} (${holder.command})`, since: holder.since }
}
