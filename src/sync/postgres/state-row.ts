import type { CopyState, Counts, RunNote } from '../copy.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { lastRunOf, presentOnly, type StateKey } from '../tables/bookkeeping.ts'
import { instantText } from '../tables/values.ts'
import type { Connection, ResultRow } from './connection/connection.ts'
import { describeHolder, parseHolder } from './lease/holder.ts'
import { literal } from './literals.ts'

/** How far a copy has come; all null before its first commit. */
export interface Position {
  readonly cursorMs: number | null
  readonly memo: string | null
}

/** The row of a copy, as a condition. */
export function whereKey({ source, resource }: StateKey): string {
  return `source = ${literal(source)} AND resource = ${literal(resource)}`
}

/** The columns that {@link positionOf} reads. */
export const POSITION = 'round(extract(epoch FROM cursor) * 1000)::bigint AS cursor_ms, memo'

/** How far a copy has come, from a row with {@link POSITION}. */
export function positionOf(row: ResultRow | undefined): Position {
  return { cursorMs: numberOf(row?.['cursor_ms']), memo: row?.['memo'] ?? null }
}

/** What a commit sets in its row. A cursor never moves back. */
export function positionSets(cursorMs: number, { before, memo, requests, startedMs }: RunNote, done: Counts): string {
  return [
    `cursor = greatest(cursor, ${literal(instantText(cursorMs))}::timestamptz)`,
    `memo = ${literal(memo)}`,
    `run_started_at = ${literal(instantText(startedMs))}::timestamptz`,
    `run_requests = ${requests}`,
    `run_added = ${before.added + done.added}`,
    `run_changed = ${before.changed + done.changed}`,
    `run_unchanged = ${before.unchanged + done.unchanged}`,
  ].join(', ')
}

/** The rows of a copy whose records the service had when it was last asked, as a condition. */
export function whereRecords({ source, resource }: StateKey): string {
  return `source = ${literal(source)}${presentOnly(resource)}`
}

/** What is known of a copy; null: there is none. */
export async function readState(connection: Connection, key: StateKey): Promise<CopyState | null> {
  const [row] = await connection.query(
    `SELECT ${POSITION}, holder, lease_until > clock_timestamp() AS is_held, run_requests, run_added, run_changed, run_unchanged,
       to_char(held_since, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
       round(extract(epoch FROM run_started_at) * 1000)::bigint AS run_started_ms,
       (SELECT count(*) FROM ${MAIN_TABLES[key.resource].name} WHERE ${whereRecords(key)}) AS n
     FROM sync_state WHERE ${whereKey(key)}`,
  )
  if (row === undefined) return null
  return {
    ...key,
    ...positionOf(row),
    lastRun: lastRunOf(row, numberOf(row['run_started_ms'])),
    rows: Number(row['n']),
    holder:
      row['is_held'] === 't'
        ? { who: describeHolder(parseHolder(row['holder'] ?? null)), since: row['since'] ?? null }
        : null,
  }
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text)
}
