import type { Moment } from '../../src/money/operations/moment.ts'

const START = Date.UTC(2026, 10, 20, 18)

/** Time that passes only when it is told to; what is due on the way happens at its time. */
export class Timeline {
  /** Epoch milliseconds, by a clock that is never wrong. */
  now = START
  #due: { readonly at: number; readonly work: () => void }[] = []

  /** Does something when so many milliseconds have passed. Gives what takes it back. */
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

  /** Sets the wall clock forward, or back, by so much. */
  set(byMs: number): void {
    this.#setBy += byMs
  }

  /** Sleeps: the clock that counts since the start stands still. */
  sleep(ms: number): void {
    this.#timeline.pass(ms)
    this.#startedAt += ms
  }

  /** Is switched off for so long. `keepsTime`: false where no battery does, and the wall clock goes on from where it stood. */
  restart(offMs: number, keepsTime: boolean): void {
    this.#timeline.pass(offMs)
    if (!keepsTime) this.#setBy -= offMs
    this.#startedAt = this.#timeline.now
    this.#starts++
  }
}
