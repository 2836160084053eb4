/** At most so many requests in so many milliseconds. */
export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

/** What light use never meets, and a loop that has gone wrong still does. */
export const GENEROUS_LIMIT: RateLimit = { count: 20_000, windowMs: 1000 }

/** Keys come from callers, so what is remembered of them must not grow without end. */
const MOST_COUNTERS = 5000

/**
 * Counts requests for each endpoint and key, refused ones and refused keys included. The machine's time counts, not the
 * sandbox's, which may stand still.
 */
export class RateLimiter {
  readonly limit: RateLimit
  readonly #counters = new Map<string, { started: number; count: number }>()

  constructor(limit: RateLimit) {
    this.limit = limit
  }

  /** Counts one request; false when it is one too many. */
  admit(endpointId: string, key: string): boolean {
    const now = performance.now()
    const name = `${endpointId} ${key}`
    const counter = this.#counters.get(name)
    if (counter && now - counter.started < this.limit.windowMs) return ++counter.count <= this.limit.count
    if (!counter && this.#counters.size >= MOST_COUNTERS) this.#forget(now)
    this.#counters.set(name, { started: now, count: 1 })
    return this.limit.count > 0
  }

  #forget(now: number): void {
    for (const [name, { started }] of this.#counters)
      if (now - started >= this.limit.windowMs) this.#counters.delete(name)
    if (this.#counters.size >= MOST_COUNTERS) this.#counters.clear()
  }
}
