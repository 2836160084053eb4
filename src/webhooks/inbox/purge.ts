import { monotonicMs } from '../../base/stopwatch.ts'
import { HOUR_MS } from '../../base/time/units.ts'
import type { Connection } from '../../postgres/connection.ts'

/** The number of rows that one statement scans. It is small, so that listeners and workers do not have to wait. */
const BATCH = 500

/** The progress of a pass through an inbox. */
export interface PurgeStep {
  /** The ID of the last scanned row, or `null` if all old rows have been scanned. */
  readonly last: string | null
  readonly deleted: number
}

/**
 * Scans the next rows after ID `after`. Deletes `done` rows that were handled and last delivered more than `keepMs`
 * ago, according to the database's clock. Rows that another process has locked are left for the next pass. Throws the
 * same errors as `query`.
 */
export async function purgeNext(connection: Connection, after: string, keepMs: number): Promise<PurgeStep> {
  const oldest = `clock_timestamp() - interval '${keepMs} milliseconds'`
  const [row] = await connection.query(
    `WITH next AS MATERIALIZED (SELECT id, received_at FROM inbox WHERE id > ${after} ORDER BY id LIMIT ${BATCH}),
     old AS MATERIALIZED (
       SELECT id FROM inbox WHERE id IN (SELECT id FROM next) AND state = 'done' AND greatest(done_at, last_received_at) < ${oldest}
       FOR UPDATE SKIP LOCKED),
     deleted AS (DELETE FROM inbox USING old WHERE inbox.id = old.id RETURNING inbox.id)
     SELECT (SELECT max(id) FROM next) AS last, (SELECT bool_and(received_at >= ${oldest}) FROM next) AS are_new,
       (SELECT count(*) FROM deleted) AS deleted`,
  )
  // Rows are numbered in order of arrival, so all later rows are new as well.
  const isLast = row?.['last'] == null || row['are_new'] === 't'
  return { last: isLast ? null : (row['last'] ?? null), deleted: Number(row?.['deleted'] ?? 0) }
}

/**
 * Returns a function that runs one step of a pass through an inbox and returns whether more steps remain. After a
 * complete pass, the function does nothing for an hour. It throws the same errors as `step`.
 */
export function openPurge(step: (after: string) => Promise<PurgeStep>): () => Promise<boolean> {
  let after = FIRST
  let nextPassAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (monotonicMs() < nextPassAt) return false
    const { last } = await step(after)
    after = last ?? FIRST
    if (last === null) nextPassAt = monotonicMs() + HOUR_MS
    return last !== null
  }
}

const FIRST = '0'
