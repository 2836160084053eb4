import { monotonicMs } from '../../base/stopwatch.ts'
import { parseHttpDate } from '../../http/client/retry.ts'

/** The earliest and latest times at which a request may have been made, by the service's clock. Epoch milliseconds. */
export type RequestTime = { readonly earliestMs: number; readonly latestMs: number }

/** An estimate of the service's clock, from the dates of its responses. */
export class ServiceClock {
  readonly #now: () => number
  readonly #onMissing: () => void
  /** The service's time at stopwatch zero, in epoch milliseconds; `null` before the first response. */
  #zeroMs: number | null = null
  #shownMs: number | null = null
  #hasMissed = false

  /** `onMissing` is called once if a response has no date; from then on this machine's clock is used. */
  constructor(now: () => number, onMissing: () => void) {
    this.#now = now
    this.#onMissing = onMissing
  }

  /** The service's time, at most one second ahead. Before the first response, this machine's time. */
  get nowMs(): number {
    return this.#zeroMs === null ? this.#now() : monotonicMs() + this.#zeroMs
  }

  /**
   * The time stated by the last response, which the service's clock has certainly reached; `null` before the first
   * response.
   */
  get shownMs(): number | null {
    return this.#hasMissed ? this.#now() : this.#shownMs
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds; `null` before the first response. */
  get aheadMs(): number | null {
    return this.#zeroMs === null ? null : Math.round(this.nowMs - this.#now())
  }

  /** Assumes that the service's clock is ahead by this much, until a response shows its time. */
  expect(aheadMs: number): void {
    this.#zeroMs ??= this.#now() + aheadMs - monotonicMs()
  }

  /** Starts timing a request. Call the returned function with the headers of the response. */
  ask(): (headers: Readonly<Record<string, string>>) => RequestTime {
    const sentAt = monotonicMs()
    return (headers) => {
      const passedMs = Math.ceil(monotonicMs() - sentAt)
      const dateMs = parseHttpDate(headers['date'] ?? '')
      if (dateMs === null) return this.#guess(passedMs)
      // The Date header has whole seconds, and may be set at any moment during the request.
      this.#shownMs = dateMs
      const latestMs = dateMs + 999
      this.#zeroMs = latestMs - monotonicMs()
      return { earliestMs: dateMs - passedMs, latestMs }
    }
  }

  #guess(passedMs: number): RequestTime {
    if (!this.#hasMissed) this.#onMissing()
    this.#hasMissed = true
    const nowMs = this.#now()
    return { earliestMs: nowMs - passedMs, latestMs: nowMs }
  }
}
