import { monotonicMs } from '../../base/stopwatch.ts'
import { parseHttpDate } from '../../http/client/retry.ts'

/** The earliest and latest possible time of a request, in epoch milliseconds on the service's clock. */
export type RequestTime = { readonly earliestMs: number; readonly latestMs: number }

/** An estimate of the service's clock, based on the dates in its responses. */
export class ServiceClock {
  readonly #now: () => number
  readonly #onMissing: () => void
  /**
   * The service's time, in epoch milliseconds, when this machine's monotonic clock was at zero. `null` before the first
   * response.
   */
  #zeroMs: number | null = null
  #shownMs: number | null = null
  #hasMissed = false

  /** `onMissing` is called for the first response that has no date. From then on, this machine's clock is used. */
  constructor(now: () => number, onMissing: () => void) {
    this.#now = now
    this.#onMissing = onMissing
  }

  /**
   * An estimate of the service's time, which may be up to one second ahead. Before the first response, it is this
   * machine's time unless {@link expect} was called.
   */
  get nowMs(): number {
    return this.#zeroMs === null ? this.#now() : monotonicMs() + this.#zeroMs
  }

  /**
   * The date of the last response, or `null` before the first response. The service's clock has reached at least this
   * time.
   */
  get shownMs(): number | null {
    return this.#hasMissed ? this.#now() : this.#shownMs
  }

  /** How far, in milliseconds, the service's clock is ahead of this machine's, or `null` before the first response. */
  get aheadMs(): number | null {
    return this.#zeroMs === null ? null : Math.round(this.nowMs - this.#now())
  }

  /** Assumes, until the first response, that the service's clock is `aheadMs` milliseconds ahead of this machine's. */
  expect(aheadMs: number): void {
    this.#zeroMs ??= this.#now() + aheadMs - monotonicMs()
  }

  /** Starts timing a request. When the response arrives, call the returned function with its headers. */
  ask(): (headers: Readonly<Record<string, string>>) => RequestTime {
    const sentAt = monotonicMs()
    return (headers) => {
      const passedMs = Math.ceil(monotonicMs() - sentAt)
      const dateMs = parseHttpDate(headers['date'] ?? '')
      if (dateMs === null) return this.#guess(passedMs)
      // The Date header has a resolution of one second, and the service may have set it at any moment during the
      // request.
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
