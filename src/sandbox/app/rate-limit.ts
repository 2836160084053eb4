import { monotonicMs } from '../../base/stopwatch.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { refusalReply } from './replies.ts'
import { conclude, type Routed, type Service } from './request.ts'

/** A limit of `count` requests in each window of `windowMs` milliseconds. */
export type RateLimit = Readonly<Record<'count' | 'windowMs', number>>

/** The maximum number of counters. Without this limit, callers could exhaust memory by inventing keys. */
const MAX_COUNTERS = 5000

/**
 * Limits the number of requests per endpoint and API key, even if the key is invalid. Uses the machine's time, because
 * the venue's time can be frozen. If `limit` is `null`, the number of requests is not limited.
 */
export function withRateLimit(limit: RateLimit | null): (next: Service<Routed>) => Service<Routed> {
  if (!limit) return (next) => next
  const { count, windowMs } = limit
  const counters = new Map<string, { readonly started: number; seen: number }>()
  const removeOldCounters = (now: number) => {
    for (const [name, { started }] of counters) if (now - started >= windowMs) counters.delete(name)
    if (counters.size >= MAX_COUNTERS) counters.clear()
  }
  const admits = (name: string): boolean => {
    const now = monotonicMs()
    const counter = counters.get(name)
    if (counter && now - counter.started < windowMs) return ++counter.seen <= count
    if (!counter && counters.size >= MAX_COUNTERS) removeOldCounters(now)
    counters.set(name, { started: now, seen: 1 })
    return count > 0
  }
  return (next) => async (routed) => {
    if (admits(`${routed.id} ${routed.request.headers['x-api-key'] ?? ''}`)) return next(routed)
    return conclude(refusalReply(COMMON_FAILURES.rateLimited, { count, window: windowMs }), 'over the rate limit')
  }
}
