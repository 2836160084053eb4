import { DAY_MS } from '../../base/time/units.ts'

/** The default start of a first sync, in epoch milliseconds. The service did not exist before then. */
export const FIRST_CHANGE_MS = Date.UTC(2000, 0, 1)
export const FIRST_WINDOW_MS = 7 * DAY_MS
const LONGEST_WINDOW_MS = 366 * DAY_MS
const SHORTEST_WINDOW_MS = 3_600_000
const FEW_RECORDS = 5000
const MANY_RECORDS = 50_000

/** Returns the next window's length in milliseconds, based on the previous window's length and number of records. */
export function nextWindowMs(lengthMs: number, records: number): number {
  if (records < FEW_RECORDS) return Math.min(lengthMs * 2, LONGEST_WINDOW_MS)
  return records > MANY_RECORDS ? Math.max(lengthMs / 2, SHORTEST_WINDOW_MS) : lengthMs
}
