import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { advanceStepwise } from '../../sandbox/clock/advance.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { HOUR } from '../../sandbox/venue/time.ts'

/** How fast the venue's time passes. At 60, an hour takes a minute. At `max`, the rehearsal never waits. */
export type Speed = number | 'max'

/** The longest time, in milliseconds, between two steps of the clock. */
const TICK_MS = 100
/**
 * The total time limit, in milliseconds, for deliveries at full speed. It keeps a hanging receiver from blocking the
 * rehearsal.
 */
const DELIVERIES_MS = 60_000
/** How fast the venue's time passes while a rehearsal at full speed waits for the integration. */
const WAITING_SPEED = 60

/** Returns functions that move a venue's frozen clock. `onMoved` is called with each new time. */
export function createClockDriver(
  state: SandboxState,
  speed: Speed,
  signal: AbortSignal,
  onMoved: (at: number) => void,
) {
  /** The time left for deliveries, in milliseconds. */
  let patienceMs = DELIVERIES_MS
  /** The stopwatch reading at venue time 0 (1970), or `null` if it has yet to be calculated. */
  let zero: number | null = null
  const now = () => state.settings().clock.now()
  const set = (at: number) => {
    const ahead = at - now()
    if (ahead > 0) state.stepClock(ahead)
    onMoved(now())
  }
  const sleep = async (ms: number) => {
    await pause(ms, undefined, { signal }).catch(() => undefined)
    signal.throwIfAborted()
  }
  const passAtOnce = async (at: number) => {
    if (patienceMs <= 0) return
    const started = monotonicMs()
    await advanceStepwise(state, at - now())
    patienceMs -= monotonicMs() - started
  }
  const pass = async (at: number, times: number) => {
    if (at - now() > HOUR) {
      set(at)
      zero = null
    }
    zero ??= monotonicMs() - now() / times
    for (;;) {
      const shown = (monotonicMs() - zero) * times
      if (shown >= at) return
      set(Math.floor(shown))
      await sleep(Math.min(TICK_MS, (at - shown) / times))
    }
  }
  return {
    now,
    /**
     * Moves the clock to an instant. Skips idle hours without waiting. If the rehearsal is aborted, throws the signal's
     * reason.
     */
    moveTo: async (at: number): Promise<void> => {
      signal.throwIfAborted()
      await (speed === 'max' ? passAtOnce(at) : pass(at, speed))
      set(at)
    },
    /**
     * Lets the venue's time pass for `forMs` milliseconds of the machine's time, but not beyond `until`. If the
     * rehearsal is aborted, throws the signal's reason.
     */
    wait: async (forMs: number, until: number): Promise<void> => {
      const times = speed === 'max' ? WAITING_SPEED : speed
      const end = monotonicMs() + forMs
      for (let left = forMs; left > 0; left = end - monotonicMs()) {
        const asleep = Math.min(TICK_MS, left)
        await sleep(asleep)
        set(Math.min(until, now() + Math.round(asleep * times)))
      }
      zero = null
    },
  }
}
