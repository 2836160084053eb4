import { DAY_MS } from '../../base/time/units.ts'

/** Where a first sync starts by default: no service of this kind is older. Epoch milliseconds. */
export const FIRST_CHANGE_MS = Date.UTC(2000, 0, 1)
export const FIRST_WINDOW_MS = 7 * DAY_MS
const LONGEST_WINDOW_MS = 366 * DAY_MS
const SHORTEST_WINDOW_MS = 3_600_000
const FEW_RECORDS = 5000
const MANY_RECORDS = 50_000

/** The length of the window after one with so many records. Milliseconds. */
export function nextWindowMs(lengthMs: number, records: number): number {
  if (records < FEW_RECORDS) return Math.min(lengthMs * 2, LONGEST_WINDOW_MS)
  return records > MANY_RECORDS ? Math.max(lengthMs / 2, SHORTEST_WINDOW_MS) : lengthMs
}
