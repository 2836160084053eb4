import { bootHere } from '../../base/storage/owner.ts'

/** A moment by two clocks: the wall clock, which people and NTP can set, and the clock that counts from the system's start. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly wallMs: number
  /** Milliseconds since the system started; time asleep may not count. */
  readonly monotonicMs: number
  /** Identifies the start of the system that the second clock counts from; null where the system does not say. */
  readonly boot: string | null
}

/** This moment. */
export function momentHere(): Moment {
  return { wallMs: Date.now(), monotonicMs: Number(process.hrtime.bigint() / 1_000_000n), boot: bootHere() }
}

/**
 * How much time has certainly passed since then, in milliseconds. Setting the wall clock forward does not add to it, and
 * setting it back does not make it negative. After a restart, it is at least the time since that restart.
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
 * How much time may have passed since then, in milliseconds; Infinity when no clock can tell, as after a restart: a machine
 * without a battery goes on from the time at which it stopped.
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
