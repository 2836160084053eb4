import { monotonicMs } from '../base/stopwatch.ts'

/** Ends a request's turn. `isRefused`: whether the service answered it with 429. */
export type Release = (isRefused: boolean) => void

/** The pause after a 429 that does not say how long to wait. */
const CLOSED_MS = 500

/**
 * Makes several workers start requests one at a time, within the limits. After a 429, all workers wait, and then send
 * one by one until a request succeeds, so that they neither use up their attempts together nor all send at once after
 * the wait.
 */
export class SendGate {
  #last: Promise<void> = Promise.resolve()
  /** The time of the monotonic clock until which no request may start. */
  #closedUntil = 0
  #underWay = 0
  #isCareful = false
  #refusals = 0
  #onIdle: (() => void) | null = null

  /**
   * Waits for this request's turn and for `waitForSlot`. Returns a function that ends the turn. Throws whatever `pause`
   * and `waitForSlot` throws.
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

  /** Returns how long to wait, or `null` to wait until the current request is finished. */
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
