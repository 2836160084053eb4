import { getCurrentBoot } from '../../base/storage/owner.ts'

/** A moment on two clocks: the wall clock, which can be set, and the monotonic clock, which starts at boot. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly wallMs: number
  /** Milliseconds since the system booted. May exclude the time during which the system was asleep. */
  readonly monotonicMs: number
  /** The ID of the boot that started the monotonic clock, or `null` if the system does not provide one. */
  readonly boot: string | null
}

export function getCurrentMoment(): Moment {
  return { wallMs: Date.now(), monotonicMs: Number(process.hrtime.bigint() / 1_000_000n), boot: getCurrentBoot() }
}

/**
 * Returns the minimum time, in milliseconds, that must have passed between two moments, even if the wall clock was set
 * or the system restarted.
 */
export function leastElapsedMs(since: Moment, now: Moment): number {
  const wall = now.wallMs - since.wallMs
  const certain = certainTicks(since, now)
  return wall < 0 ? certain : Math.min(certain, wall)
}

function certainTicks(since: Moment, now: Moment): number {
  if (isOtherBoot(since, now)) return now.monotonicMs
  const ticks = now.monotonicMs - since.monotonicMs
  if (ticks >= 0) return ticks
  return isSameBoot(since, now) ? 0 : now.monotonicMs
}

/**
 * Returns an upper bound, in milliseconds, for the time between two moments. Returns Infinity if there is none, for
 * example after a restart.
 */
export function mostElapsedMs(since: Moment, now: Moment): number {
  const ticks = now.monotonicMs - since.monotonicMs
  if (isOtherBoot(since, now) || ticks < 0) return Number.POSITIVE_INFINITY
  return Math.max(now.wallMs - since.wallMs, ticks)
}

function isSameBoot(a: Moment, b: Moment): boolean {
  return a.boot !== null && a.boot === b.boot
}

function isOtherBoot(a: Moment, b: Moment): boolean {
  return a.boot !== null && b.boot !== null && a.boot !== b.boot
}
