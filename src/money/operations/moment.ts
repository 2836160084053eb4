import { bootHere } from '../../base/storage/owner.ts'

/** A moment by two clocks: the wall clock, which can be set, and the one since the system started. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly wallMs: number
  /** Milliseconds since the system started; time asleep may not count. */
  readonly monotonicMs: number
  /** Identifies the boot of the second clock; null if the system does not say. */
  readonly boot: string | null
}

export function momentHere(): Moment {
  return { wallMs: Date.now(), monotonicMs: Number(process.hrtime.bigint() / 1_000_000n), boot: bootHere() }
}

/** The time that certainly passed, in milliseconds, even if the wall clock was set or the system restarted. */
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

/** The time that may have passed, in milliseconds; Infinity if no clock can tell, as after a restart. */
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
