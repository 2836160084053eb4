import { monotonicMs } from '../base/stopwatch.ts'

/** Ends a request's turn. `isRefused`: the service had too many requests. */
export type Leave = (isRefused: boolean) => void

/** The pause after a 429 that names no time. */
const CLOSED_MS = 500

/**
 * Lets several workers send one at a time, each within the limits. After a 429 all wait, then go one by one until one
 * succeeds: so they neither use up their tries together nor leave together after the wait.
 */
export class Turnstile {
  #last: Promise<void> = Promise.resolve()
  /** On the monotonic clock. */
  #closedUntil = 0
  #underWay = 0
  #isCareful = false
  #refusals = 0
  #onIdle: (() => void) | null = null

  /** Waits for this request's turn and for `place`. Returns a function that ends the turn. Fails: as its waits do. */
  async enter(pause: (ms: number) => Promise<void>, place: () => Promise<void>): Promise<Leave> {
    const before = this.#last
    const { promise, resolve: open } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    try {
      for (let waitMs = this.#waitMs(); waitMs !== 0; waitMs = this.#waitMs())
        await (waitMs === null ? this.#idle() : pause(waitMs))
      await place()
    } finally {
      open()
    }
    this.#underWay++
    const refusals = this.#refusals
    return (isRefused) => {
      this.#underWay--
      if (isRefused) {
        this.#refusals++
        this.#isCareful = true
        this.closeFor(CLOSED_MS)
      } else if (refusals === this.#refusals) this.#isCareful = false
      this.#onIdle?.()
    }
  }

  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, monotonicMs() + ms)
  }

  /** How long to wait; null: until the current request is over. */
  #waitMs(): number | null {
    if (this.#isCareful && this.#underWay > 0) return null
    return Math.max(0, Math.ceil(this.#closedUntil - monotonicMs()))
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#onIdle = null
        resolve()
      }
    })
  }
}
