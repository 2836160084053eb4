import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../base/stopwatch.ts'
import { ConnectionLost } from './failures.ts'

const FIRST_MS = 100
const MOST_MS = 5000

/**
 * Runs `act` and retries it after each {@link ConnectionLost}, with increasing waits, until `limitMs` milliseconds have
 * passed. Throws Interrupted, or the error of the last attempt.
 */
export async function backoff<T>(act: () => Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  const deadline = monotonicMs() + limitMs
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ConnectionLost) || monotonicMs() > deadline) throw error
    }
    await pause(tries, signal)
  }
}

/** Waits before the next attempt, longer each time and with jitter. Throws Interrupted if the signal aborts. */
export async function pause(tries: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(MOST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
