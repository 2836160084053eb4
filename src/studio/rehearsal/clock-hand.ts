import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { passThrough } from '../../sandbox/clock/moving.ts'
import type { SandboxState } from '../../sandbox/state.ts'

/** How many times as fast as the machine's the venue's time runs; `max`: nothing is waited for. */
export type Speed = number | 'max'

const HOUR = 3_600_000
/** The venue's time moves at least so often. */
const TICK_MS = 100
/** How long, at full speed, attempts to deliver may take in all: a receiver that hangs does not hold up the day any longer. */
const DELIVERIES_MS = 60_000
/** How fast time goes by at full speed while somebody else is waited for. */
const WAITING_SPEED = 60

/** Returns what moves the time of a venue whose clock is frozen. `onMoved` receives each new time. */
export function clockHand(state: SandboxState, speed: Speed, signal: AbortSignal, onMoved: (at: number) => void) {
  /** How long deliveries may still be waited for. */
  let patienceMs = DELIVERIES_MS
  /** When, by the stopwatch, the venue's time stood at 0; null before the first move. */
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
    /** Moves it to an instant; an hour and more in which nothing happens passes at once. Fails: as the signal says. */
    moveTo: async (at: number): Promise<void> => {
      signal.throwIfAborted()
      await (speed === 'max' ? passAtOnce(at) : pass(at, speed))
      set(at)
    },
    /** Lets time go by, no further than an instant, for so many milliseconds of the machine's. Fails: as the signal says. */
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
