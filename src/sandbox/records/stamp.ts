import { monotonicMs } from '../../base/stopwatch.ts'
import type { Store } from '../store/store.ts'

/**
 * Returns the modification time for a changed record, in milliseconds since 1970. It is never in the future, so that
 * clients that poll for changes do not miss the record. Clients use it to tell versions apart, so it differs from
 * `before` unless the clock is frozen: a second change within the same millisecond waits for the next one.
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
