import { setTimeout as delay } from 'node:timers/promises'
import { Lost } from './failures.ts'

const FIRST_MS = 100
const MOST_MS = 5000

/**
 * Tries something until it works, waiting longer each time, for at most so long. Only what was lost is tried again.
 * Fails: as the last try; Interrupted.
 */
export async function backoff<T>(
  act: () => Promise<T>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(MOST_MS, waitMs * 2)) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Lost) || performance.now() + waitMs > deadline) throw error
    }
    // Uneven waits keep those apart who lost the same server.
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
