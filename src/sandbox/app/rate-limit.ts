import { monotonicMs } from '../../base/stopwatch.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { refusalReply } from './replies.ts'
import { conclude, type Routed, type Service } from './request.ts'

/** At most so many requests in so many milliseconds. */
export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

/** Callers make up keys, so the counters kept for them must not grow without end. */
const MOST_COUNTERS = 5000

/** Refuses what is over the limit, for each endpoint and key on its own. Null: nothing is. */
export function withRateLimit(limit: RateLimit | null): (next: Service<Routed>) => Service<Routed> {
  if (!limit) return (next) => next
  const limiter = new RateLimiter(limit)
  return (next) => async (routed) => {
    if (limiter.admit(routed.id, routed.request.headers['x-api-key'] ?? '')) return next(routed)
    const values = { count: limit.count, window: limit.windowMs }
    return conclude(refusalReply(COMMON_FAILURES.rateLimited, values), 'over the rate limit')
  }
}

/**
 * Counts requests, those that are refused for other reasons included. It goes by the machine's time, as the venue's may stand
 * still.
 */
class RateLimiter {
  readonly #limit: RateLimit
  readonly #counters = new Map<string, { started: number; count: number }>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** Counts one request; false when it is one too many. */
  admit(endpointId: string, key: string): boolean {
    const now = monotonicMs()
    const name = `${endpointId} ${key}`
    const counter = this.#counters.get(name)
    if (counter && now - counter.started < this.#limit.windowMs) return ++counter.count <= this.#limit.count
    if (!counter && this.#counters.size >= MOST_COUNTERS) this.#forget(now)
    this.#counters.set(name, { started: now, count: 1 })
    return this.#limit.count > 0
  }

  #forget(now: number): void {
    for (const [name, { started }] of this.#counters)
      if (now - started >= this.#limit.windowMs) this.#counters.delete(name)
    if (this.#counters.size >= MOST_COUNTERS) this.#counters.clear()
  }
}
