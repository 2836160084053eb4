import { monotonicMs } from '../../base/stopwatch.ts'
import { parseHttpDate } from '../../http/client/retry.ts'

/** When a request was made, by the service's clock: between these two, epoch milliseconds. */
export interface AskedAt {
  readonly earliestMs: number
  readonly latestMs: number
}

/** The clock of the service, as far as its answers show it. */
export class ServiceClock {
  readonly #now: () => number
  readonly #onMissing: () => void
  /** The service's time when the stopwatch stood at zero, epoch milliseconds; null while no answer has shown it. */
  #zeroMs: number | null = null
  #shownMs: number | null = null
  #hasMissed = false

  /** @param onMissing called once, when an answer has no date: this machine's clock counts then. */
  constructor(now: () => number, onMissing: () => void) {
    this.#now = now
    this.#onMissing = onMissing
  }

  /** The service's present, or up to a second more, so that what has just changed comes too; before the first answer, this machine's. */
  get nowMs(): number {
    return this.#zeroMs === null ? this.#now() : monotonicMs() + this.#zeroMs
  }

  /** The time that the last answer showed, in whole seconds, so that the service's clock has certainly been there; null before it. */
  get shownMs(): number | null {
    return this.#hasMissed ? this.#now() : this.#shownMs
  }

  /** How far the service's clock is ahead of this machine's, milliseconds; null while no answer has shown it. */
  get aheadMs(): number | null {
    return this.#zeroMs === null ? null : Math.round(this.nowMs - this.#now())
  }

  /** Takes how far it was ahead before, until an answer shows how far it is now. */
  expect(aheadMs: number): void {
    this.#zeroMs ??= this.#now() + aheadMs - monotonicMs()
  }

  /** Starts a request; the function that it returns takes the head of the answer, and says when the request was made. */
  ask(): (headers: Readonly<Record<string, string>>) => AskedAt {
    const sentAt = monotonicMs()
    return (headers) => {
      const passedMs = Math.ceil(monotonicMs() - sentAt)
      const dateMs = parseHttpDate(headers['date'] ?? '')
      if (dateMs === null) return this.#guess(passedMs)
      // The header has whole seconds, and may be of any moment between the request and the answer.
      this.#shownMs = dateMs
      const latestMs = dateMs + 999
      this.#zeroMs = latestMs - monotonicMs()
      return { earliestMs: dateMs - passedMs, latestMs }
    }
  }

  #guess(passedMs: number): AskedAt {
    if (!this.#hasMissed) this.#onMissing()
    this.#hasMissed = true
    const nowMs = this.#now()
    return { earliestMs: nowMs - passedMs, latestMs: nowMs }
  }
}
