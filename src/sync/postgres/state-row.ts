import type { TextRow } from '../../base/storage/text-row.ts'
import { literal } from '../../postgres/literal.ts'
import { type Counts, type Position, plus, type RunNote } from '../copy.ts'
import { instantText } from '../tables/values.ts'

export const POSITION = 'round(extract(epoch FROM cursor) * 1000)::bigint AS cursor_ms, memo'

/** Returns the position from a row that has the columns in {@link POSITION}. */
export function positionOf(row: TextRow | undefined): Position {
  const { cursor_ms = null, memo = null } = row ?? {}
  return { cursorMs: cursor_ms === null ? null : Number(cursor_ms), memo }
}

/** Returns the SQL assignments that a commit makes. The cursor never moves back. */
export function positionSets(cursorMs: number, { before, memo, requests, startedMs }: RunNote, done: Counts): string {
  const { added, changed, unchanged } = plus(before, done)
  return [
    `cursor = greatest(cursor, ${literal(instantText(cursorMs))}::timestamptz)`,
    `memo = ${literal(memo)}`,
    `run_started_at = ${literal(instantText(startedMs))}::timestamptz`,
    `run_requests = ${requests}, run_added = ${added}, run_changed = ${changed}, run_unchanged = ${unchanged}`,
  ].join(', ')
}
