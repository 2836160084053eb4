import { monotonicMs } from '../../base/stopwatch.ts'
import type { Store } from '../store/store.ts'

/**
 * Returns when a changed record was last modified: never after now, so that no client that reads changes misses it.
 * While the clock runs, it is later than `before`, as clients tell versions apart by it; two changes within one
 * millisecond wait for the next. Milliseconds since 1970.
 */
export function stampChange(store: Store, before: number, now: number): number {
  if (before !== now || isHeld(store)) return now
  const started = monotonicMs()
  while (monotonicMs() - started <= 1);
  return now + 1
}

function isHeld(store: Store): boolean {
  const clock = store.get("SELECT value ->> '$.frozenAt' AS at FROM meta WHERE name = 'clock'")
  return (clock?.['at'] ?? null) !== null
}
