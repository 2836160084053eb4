import { monotonicMs } from '../../base/stopwatch.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { refusalReply } from './replies.ts'
import { conclude, type Routed, type Service } from './request.ts'

/** At most `count` requests in `windowMs` milliseconds. */
export type RateLimit = Readonly<Record<'count' | 'windowMs', number>>

/** Limits the counters, as callers can invent keys. */
const MOST_COUNTERS = 5000

/** Limits each endpoint and key, even if refused, by the machine's time, as the venue's may be frozen. Null: off. */
export function withRateLimit(limit: RateLimit | null): (next: Service<Routed>) => Service<Routed> {
  if (!limit) return (next) => next
  const { count, windowMs } = limit
  const counters = new Map<string, { readonly started: number; seen: number }>()
  const forget = (now: number) => {
    for (const [name, { started }] of counters) if (now - started >= windowMs) counters.delete(name)
    if (counters.size >= MOST_COUNTERS) counters.clear()
  }
  const admits = (name: string): boolean => {
    const now = monotonicMs()
    const counter = counters.get(name)
    if (counter && now - counter.started < windowMs) return ++counter.seen <= count
    if (!counter && counters.size >= MOST_COUNTERS) forget(now)
    counters.set(name, { started: now, seen: 1 })
    return count > 0
  }
  return (next) => async (routed) => {
    if (admits(`${routed.id} ${routed.request.headers['x-api-key'] ?? ''}`)) return next(routed)
    return conclude(refusalReply(COMMON_FAILURES.rateLimited, { count, window: windowMs }), 'over the rate limit')
  }
}
