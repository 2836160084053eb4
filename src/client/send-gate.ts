import { monotonicMs } from '../base/stopwatch.ts'

/** A function that ends a request's turn. `isRefused` means that the service responded with 429. */
export type Release = (isRefused: boolean) => void

/** The minimum pause, in milliseconds, after a 429. */
const CLOSED_MS = 500

/**
 * Starts the requests of several workers one at a time, within the rate limits. After a 429, all workers wait. From
 * then on, only one request is in progress at a time until one succeeds, so that the workers do not all retry at once
 * and use up their attempts.
 */
export class SendGate {
  #last: Promise<void> = Promise.resolve()
  /** The time, on the monotonic clock, before which no request may start. */
  #closedUntil = 0
  #underWay = 0
  #isCareful = false
  #refusals = 0
  #onIdle: (() => void) | null = null

  /**
   * Waits for this request's turn, and then for `waitForSlot`. Returns a function that ends the turn. Throws any error
   * from `pause` or `waitForSlot`.
   */
  async acquire(pause: (ms: number) => Promise<void>, waitForSlot: () => Promise<void>): Promise<Release> {
    const before = this.#last
    const { promise, resolve: open } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    try {
      for (let waitMs = this.#waitMs(); waitMs !== 0; waitMs = this.#waitMs())
        await (waitMs === null ? this.#idle() : pause(waitMs))
      await waitForSlot()
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
        this.pauseFor(CLOSED_MS)
      } else if (refusals === this.#refusals) this.#isCareful = false
      this.#onIdle?.()
    }
  }

  pauseFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, monotonicMs() + ms)
  }

  /** Returns how many milliseconds to wait, or `null` to wait until the current request has finished. */
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
