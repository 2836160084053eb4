import { leastElapsedMs, type Moment } from './moment.ts'
import { STALE_MS } from './other-writes.ts'
import type { OperationTable } from './table.ts'

const KEPT_MS = 90 * 86_400_000

/** Never forgets open writes; others when they tell nothing about their card, or, if in doubt, after 90 days. */
export function forgetOld(table: OperationTable, now: Moment): void {
  const rows = table.rows('true')
  const inDoubt = new Set(
    rows.filter(({ state }) => state === 'open').map(({ service, target }) => `${service} ${target}`),
  )
  for (const row of rows) {
    const { state, ended, service, target } = row
    if (ended === null || inDoubt.has(`${service} ${target}`)) continue
    const isOld = now.wallMs - ended.wallMs > KEPT_MS
    const tellsNothing = state === 'done' && leastElapsedMs(ended, now) > STALE_MS
    if (isOld || tellsNothing) table.retire(row)
  }
  table.forgetPast({ nowMs: now.wallMs })
}
