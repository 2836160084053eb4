import { Failure } from '../../base/failure/failure.ts'
import { pause } from '../../http/client/retry.ts'
import type { Copy } from '../copy.ts'
import type { Wakes } from './wakes.ts'

export interface Repeating {
  /** The wait between runs, in milliseconds, or `null` to run only once. */
  readonly everyMs: number | null
  readonly standby: boolean
  readonly hold: () => Promise<Copy>
  readonly run: (copy: Copy) => Promise<void>
  /** Decides when events start runs, or `null` if they never do. `run` must call its `begin` and `succeed`. */
  readonly wakes: Wakes | null
  /** Reports a failed run. The next run starts after `waitMs` milliseconds. */
  readonly report: (failure: Failure, waitMs: number) => Promise<void>
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The longest wait, in milliseconds, after failures. Has no effect if `everyMs` is longer than this. */
const LONGEST_WAIT_MS = 300_000

/**
 * Runs once, or repeatedly until interrupted. Keeps the lock between runs and acquires it again after a failed run.
 * Repeated runs continue after a failure, except in two cases: this process never acquired the lock, or another run
 * holds it and `standby` is not set. Throws the error that ended the last run.
 */
export async function runRepeatedly(repeating: Repeating): Promise<void> {
  const { everyMs, signal, wakes } = repeating
  let copy: Copy | null = null
  let hasHeld = false
  let failures = 0
  try {
    for (;;) {
      let beforeMs: number | null = null
      try {
        copy ??= await repeating.hold()
        beforeMs = copy.cursorMs
        hasHeld = true
        await repeating.run(copy)
        failures = 0
      } catch (error) {
        if (everyMs === null || !hasHeld || signal.aborted || !canRetry(error, repeating)) throw error
        // Over a bad connection, a first sync often fails but still makes progress. Such failures must not lengthen the
        // wait.
        failures = (copy?.cursorMs ?? null) === beforeMs ? failures + 1 : 1
        await copy?.close()
        copy = null
        const ms = waitMs(everyMs, failures)
        await repeating.report(error, wakes?.fail(ms) ?? ms)
      }
      if (everyMs === null) return
      // With jitter, venues that started at the same time do not send their requests at the same time.
      const ms = waitMs(everyMs, failures) * (0.9 + Math.random() / 5)
      await (wakes?.wait(ms, signal) ?? pause(ms, { signal, now: repeating.now }))
    }
  } finally {
    await copy?.close()
  }
}

/** Returns the wait before the next run. It doubles with each consecutive failure after the first. */
function waitMs(everyMs: number, failures: number): number {
  return Math.min(everyMs * 2 ** Math.max(0, failures - 1), Math.max(everyMs, LONGEST_WAIT_MS))
}

function canRetry(error: unknown, { standby }: Repeating): error is Failure {
  if (!(error instanceof Failure) || error.code === 'INTERRUPTED') return false
  return error.code !== 'LOCKED' || standby
}
