import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { passThrough } from '../../sandbox/clock/moving.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { HOUR } from '../../sandbox/venue/time.ts'

/** The speed of the venue's time relative to the machine's; `max`: without waiting. */
export type Speed = number | 'max'

/** The longest step of the clock. */
const TICK_MS = 100
/** The total time for deliveries at full speed, so that a hanging receiver does not block the day. */
const DELIVERIES_MS = 60_000
/** The speed while waiting for others at full speed. */
const WAITING_SPEED = 60

/** Moves the time of a venue whose clock is frozen. `onMoved` receives each new time. */
export function clockHand(state: SandboxState, speed: Speed, signal: AbortSignal, onMoved: (at: number) => void) {
  /** The time left for deliveries. */
  let patienceMs = DELIVERIES_MS
  /** The stopwatch time that corresponds to 0 of the venue; null before the first move. */
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
    await passThrough(state, at - now())
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
    /** Moves to an instant; idle hours pass at once. Fails: the signal's reason. */
    moveTo: async (at: number): Promise<void> => {
      signal.throwIfAborted()
      await (speed === 'max' ? passAtOnce(at) : pass(at, speed))
      set(at)
    },
    /** Lets time pass for `forMs` of the machine's time, but not beyond `until`. Fails: the signal's reason. */
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
