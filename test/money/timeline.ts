import type { Moment } from '../../src/money/operations/moment.ts'

const START = Date.UTC(2026, 10, 20, 18)

/** A simulated clock that advances only when a test advances it. It runs scheduled work when the work is due. */
export class Timeline {
  /** The true time, in milliseconds since 1970. */
  now = START
  #due: { readonly at: number; readonly work: () => void }[] = []

  /** Schedules work to run after this many milliseconds. Returns a function that cancels it. */
  later(ms: number, work: () => void): () => void {
    const due = { at: this.now + ms, work }
    this.#due.push(due)
    return () => {
      this.#due = this.#due.filter((one) => one !== due)
    }
  }

  pass(ms: number): void {
    const end = this.now + ms
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#due = this.#due.filter((one) => one !== next)
      this.now = next.at
      next.work()
    }
    this.now = end
  }

  #next(end: number) {
    return this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
  }
}

/**
 * The two clocks of a simulated till: a wall clock that can be set, and a monotonic clock that starts when the machine
 * starts.
 */
export class TillClock {
  readonly #timeline: Timeline
  #setBy = 0
  #starts = 1
  #startedAt: number

  constructor(timeline: Timeline, upForMs: number) {
    this.#timeline = timeline
    this.#startedAt = timeline.now - upForMs
  }

  get wallMs(): number {
    return this.#timeline.now + this.#setBy
  }

  get moment(): Moment {
    return { wallMs: this.wallMs, monotonicMs: this.#timeline.now - this.#startedAt, boot: `start ${this.#starts}` }
  }

  /** Sets the wall clock forward by this many milliseconds, or back if the number is negative. */
  set(byMs: number): void {
    this.#setBy += byMs
  }

  /** Puts the machine to sleep, which stops its monotonic clock. */
  sleep(ms: number): void {
    this.#timeline.pass(ms)
    this.#startedAt += ms
  }

  /**
   * Switches the machine off and on again. If `keepsTime` is false, the machine has no clock battery and its wall clock
   * stops while it is off.
   */
  restart(offMs: number, keepsTime: boolean): void {
    this.#timeline.pass(offMs)
    if (!keepsTime) this.#setBy -= offMs
    this.#startedAt = this.#timeline.now
    this.#starts++
  }
}
