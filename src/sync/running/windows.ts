import { DAY_MS } from '../../base/time/units.ts'

/** A first sync reads from here on when nobody says from when: no service of this kind is older. Epoch milliseconds. */
export const FIRST_CHANGE_MS = Date.UTC(2000, 0, 1)

/** How long the first window is. Milliseconds. */
export const FIRST_WINDOW_MS = 7 * DAY_MS
const LONGEST_WINDOW_MS = 366 * DAY_MS
const SHORTEST_WINDOW_MS = 3_600_000
/** A window with fewer records than this is followed by one of twice its length. */
const FEW_RECORDS = 5000
/** A window with more records than this is followed by one of half its length. */
const MANY_RECORDS = 50_000

/** How long the window is that follows one of this length, which brought so many records. Milliseconds. */
export function nextWindowMs(lengthMs: number, records: number): number {
  if (records < FEW_RECORDS) return Math.min(lengthMs * 2, LONGEST_WINDOW_MS)
  return records > MANY_RECORDS ? Math.max(lengthMs / 2, SHORTEST_WINDOW_MS) : lengthMs
}
