import { guarded, openOperations } from '../../money/operations/file.ts'
import { type PastWrite, readPast } from '../../money/operations/past.ts'
import { operationOf } from '../../money/operations/row.ts'
import { OperationTable } from '../../money/operations/table.ts'

/**
 * Reads the money writes that this machine performed or may have performed, in no particular order. The returned
 * `sinceMs` is when the records begin, in epoch milliseconds. Throws INTERNAL if the operations database cannot be
 * used.
 */
export function readAllWrites(path: string, nowMs: number) {
  const database = openOperations(path)
  try {
    return guarded(path, () => {
      const past = readPast(database, nowMs)
      const rows = new OperationTable(database, path).rows("phase <> 'claimed' AND state <> 'not-applied'")
      // The map removes duplicates, because a write is in both lists while it is being archived.
      const all = new Map([...past.writes, ...rows.map(recentOf)].map((write) => [write.id, write]))
      return { sinceMs: past.sinceMs, writes: [...all.values()] }
    })
  } finally {
    database.close()
  }
}

function recentOf(row: Parameters<typeof operationOf>[0]): PastWrite {
  const { id, command, service, target, cents, profile, before, state, firstSent, startedAt } = operationOf(row)
  const sentMs = firstSent?.wallMs ?? startedAt
  return { id, command, service, target, cents, profile, before, sentMs, isOpen: state === 'open' }
}
