import { monotonicMs } from '../../base/stopwatch.ts'
import type { Store } from '../store/store.ts'

/**
 * Returns the modification time for a changed record, in milliseconds since 1970. The time is never in the future,
 * because clients that poll for changes would then miss the record. It is later than `before` while the clock is
 * running, because clients use it to tell versions apart. If two changes happen within a millisecond, the second change
 * waits for the next millisecond.
 */
export function stampChange(store: Store, before: number, now: number): number {
  if (before !== now || isClockFrozen(store)) return now
  const started = monotonicMs()
  while (monotonicMs() - started <= 1);
  return now + 1
}

function isClockFrozen(store: Store): boolean {
  const clock = store.get("SELECT value ->> '$.frozenAt' AS at FROM meta WHERE name = 'clock'")
  return (clock?.['at'] ?? null) !== null
}
