import { Failure } from '../../base/failure/failure.ts'
import { pause } from '../../http/client/retry.ts'
import type { Copy } from '../copy.ts'

/** How a sync goes on and on. */
export interface Repeating {
  /** How long to wait after each run, milliseconds; null: there is one run. */
  readonly everyMs: number | null
  readonly standby: boolean
  readonly hold: () => Promise<Copy>
  readonly run: (copy: Copy) => Promise<void>
  /** Tells of a run that failed, and how long it is until the next. Milliseconds. */
  readonly report: (failure: Failure, waitMs: number) => Promise<void>
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Waits grow no longer than this, unless each is. Milliseconds. */
const LONGEST_WAIT_MS = 300_000

/**
 * Runs once, or again and again until it is interrupted; a run that fails is then told of, and tried again. The hold is kept between
 * runs, and taken anew after a failure.
 * Fails: as the only run; Interrupted; when the first hold fails; LOCKED, unless the run stands by; as whatever is no Failure.
 */
export async function runRepeatedly(repeating: Repeating): Promise<void> {
  const { everyMs, signal } = repeating
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
        if (everyMs === null || !hasHeld || signal.aborted || !mayGoOn(error, repeating)) throw error
        // A long first sync over a bad line fails often, and gets on each time: that is no reason to wait long.
        failures = (copy?.cursorMs ?? null) === beforeMs ? failures + 1 : 1
        await copy?.close()
        copy = null
        await repeating.report(error, waitMs(everyMs, failures))
      }
      if (everyMs === null) return
      // Many venues that began together must not all ask together.
      await pause(waitMs(everyMs, failures) * (0.9 + Math.random() / 5), { signal, now: repeating.now })
    }
  } finally {
    await copy?.close()
  }
}

/** How long to wait after so many failures in a row: twice as long each time from the second on. */
function waitMs(everyMs: number, failures: number): number {
  return Math.min(everyMs * 2 ** Math.max(0, failures - 1), Math.max(everyMs, LONGEST_WAIT_MS))
}

function mayGoOn(error: unknown, { standby }: Repeating): error is Failure {
  if (!(error instanceof Failure) || error.code === 'INTERRUPTED') return false
  return error.code !== 'LOCKED' || standby
}
