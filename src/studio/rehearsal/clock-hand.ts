import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import { passThrough } from '../../sandbox/clock/moving.ts'
import type { SandboxState } from '../../sandbox/state.ts'

/** How many times as fast as the machine's the venue's time runs; `max`: nothing is waited for. */
export type Speed = number | 'max'

const HOUR = 3_600_000
/** The venue's time moves at least so often. */
const TICK_MS = 100
/** How long, at full speed, attempts to deliver may take in all; those of a receiver that hangs do not hold up the day any longer. */
const DELIVERIES_MS = 60_000
/** How fast time goes by at full speed while somebody else is waited for. */
const WAITING_SPEED = 60

/** Moves the time of a venue whose clock is frozen. */
export class ClockHand {
  readonly #state: SandboxState
  readonly #speed: Speed
  readonly #signal: AbortSignal
  readonly #onMoved: (at: number) => void
  /** How long deliveries may still be waited for. */
  #patienceMs = DELIVERIES_MS
  /** When, by the stopwatch, the venue's time stood at 0; null before the first move. */
  #zero: number | null = null

  constructor(state: SandboxState, speed: Speed, signal: AbortSignal, onMoved: (at: number) => void) {
    this.#state = state
    this.#speed = speed
    this.#signal = signal
    this.#onMoved = onMoved
  }

  get now(): number {
    return this.#state.settings().clock.now()
  }

  /** Moves it to an instant, as fast as it is to go; an hour and more in which nothing happens passes at once. Fails: as the signal says. */
  async moveTo(at: number): Promise<void> {
    this.#signal.throwIfAborted()
    if (this.#speed === 'max') await this.#passAtOnce(at)
    else await this.#pass(at, this.#speed)
    this.#set(at)
  }

  /** Lets time go by, no further than an instant, for so many milliseconds of the machine's. Fails: as the signal says. */
  async wait(forMs: number, until: number): Promise<void> {
    const speed = this.#speed === 'max' ? WAITING_SPEED : this.#speed
    const end = monotonicMs() + forMs
    for (let left = forMs; left > 0; left = end - monotonicMs()) {
      const asleep = Math.min(TICK_MS, left)
      await this.#sleep(asleep)
      this.#set(Math.min(until, this.now + Math.round(asleep * speed)))
    }
    this.#zero = null
  }

  async #passAtOnce(at: number): Promise<void> {
    if (this.#patienceMs <= 0) return
    const started = monotonicMs()
    await passThrough(this.#state, at - this.now)
    this.#patienceMs -= monotonicMs() - started
  }

  async #pass(at: number, speed: number): Promise<void> {
    if (at - this.now > HOUR) {
      this.#set(at)
      this.#zero = null
    }
    this.#zero ??= monotonicMs() - this.now / speed
    for (;;) {
      const shown = (monotonicMs() - this.#zero) * speed
      if (shown >= at) return
      this.#set(Math.floor(shown))
      await this.#sleep(Math.min(TICK_MS, (at - shown) / speed))
    }
  }

  #set(at: number): void {
    const ahead = at - this.now
    if (ahead > 0) this.#state.stepClock(ahead)
    this.#onMoved(this.now)
  }

  async #sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#signal }).catch(() => undefined)
    this.#signal.throwIfAborted()
  }
}
