import type { DatabaseSync } from 'node:sqlite'
import { type CopyKey, type Counts, plus, type RunNote } from '../copy.ts'
import { whereKey } from '../tables/bookkeeping.ts'
import { instantText } from '../tables/values.ts'

/** Reads the cursor, the memo, and the time zone used to compute instants. Unknown values are `null`. */
export function readPosition(database: DatabaseSync, key: CopyKey) {
  const row = database.prepare(`SELECT cursor, memo, timezone FROM sync_state WHERE ${whereKey(key)}`).get()
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  const cursor = textOf(row?.['cursor'])
  return {
    cursorMs: cursor === null ? null : Date.parse(cursor),
    memo: textOf(row?.['memo']),
    timezone: textOf(row?.['timezone']),
  }
}

export function writePosition(database: DatabaseSync, key: CopyKey, cursorMs: number, note: RunNote, done: Counts) {
  const { source, resource } = key
  const { before, memo, requests, startedMs } = note
  const { added, changed, unchanged } = plus(before, done)
  database
    .prepare(
      `INSERT INTO sync_state (source, resource, epoch, cursor, memo, run_started_at, run_requests, run_added, run_changed, run_unchanged)
       VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source, resource) DO UPDATE SET cursor = excluded.cursor, memo = excluded.memo,
         run_started_at = excluded.run_started_at, run_requests = excluded.run_requests, run_added = excluded.run_added,
         run_changed = excluded.run_changed, run_unchanged = excluded.run_unchanged`,
    )
    .run(source, resource, instantText(cursorMs), memo, instantText(startedMs), requests, added, changed, unchanged)
}
