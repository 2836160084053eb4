import { leastElapsedMs, type Moment } from './moment.ts'
import { STALE_MS } from './other-writes.ts'
import type { OperationTable } from './table.ts'

const KEPT_MS = 90 * 86_400_000

/** What had its answer is kept while it says something of other writes on its card; the rest for some months. */
export function forgetOld(table: OperationTable, now: Moment): void {
  const rows = table.rows('true')
  const inDoubt = new Set(
    rows.filter(({ state }) => state === 'open').map(({ service, target }) => `${service} ${target}`),
  )
  for (const { id, state, ended, service, target } of rows) {
    if (state === 'open' || ended === null) continue
    const isOld = now.wallMs - ended.wallMs > KEPT_MS
    const saysNothing =
      state === 'done' && leastElapsedMs(ended, now) > STALE_MS && !inDoubt.has(`${service} ${target}`)
    if (isOld || saysNothing) table.remove(id)
  }
}
