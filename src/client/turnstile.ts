import { monotonicMs } from '../base/stopwatch.ts'
/** Tells that a request is over; `isRefused`: the service said that there were too many. */
export type Leave = (isRefused: boolean) => void

/** How long nobody passes after a refusal that names no time. Milliseconds. */
const CLOSED_MS = 500

/**
 * Lets the requests of several workers leave one after the other, each when it has its place within the limits. After a 429 all
 * of them wait, and go on one at a time until the service takes one again: so they neither use up their tries together, nor
 * leave together when the wait is over.
 */
export class Turnstile {
  #last: Promise<void> = Promise.resolve()
  /** By the clock that nobody sets. */
  #closedUntil = 0
  #underWay = 0
  #isCareful = false
  #refusals = 0
  #onIdle: (() => void) | null = null

  /**
   * Waits until it is this request's turn, and then until `place` has found a place for it. Returns what must be called when the
   * request is over. Fails: as `place`; as the wait, when the command must stop.
   */
  async enter(pause: (ms: number) => Promise<void>, place: () => Promise<void>): Promise<Leave> {
    const before = this.#last
    let open = () => {}
    this.#last = new Promise((resolve) => {
      open = resolve
    })
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

  /** Lets nobody pass for so long. */
  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, monotonicMs() + ms)
  }

  /** How long to wait; null: until the request that is under way is over. */
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
