import { leastElapsedMs, type Moment } from './moment.ts'
import { STALE_MS } from './other-writes.ts'
import type { OperationTable } from './table.ts'

const RETENTION_MS = 90 * 86_400_000

const MAY_END = "ended IS NOT NULL AND (state = 'done' OR json_extract(ended, '$.wallMs') < CAST(? AS INTEGER))"
const OPEN_ON_SAME = `SELECT 1 FROM operations other
  WHERE other.service = operations.service AND other.target = operations.target AND other.state = 'open'`

/**
 * Retires finished writes that ended more than 90 days ago or are no longer needed to explain their card's balance.
 * Keeps all writes on a card or sale that has an open write.
 */
export function removeOld(table: OperationTable, now: Moment): void {
  for (const row of table.rows(`${MAY_END} AND NOT EXISTS (${OPEN_ON_SAME})`, String(now.wallMs - RETENTION_MS))) {
    const { state, ended } = row
    if (ended === null) continue
    const isOld = now.wallMs - ended.wallMs > RETENTION_MS
    const tellsNothing = state === 'done' && leastElapsedMs(ended, now) > STALE_MS
    if (isOld || tellsNothing) table.retire(row)
  }
}
