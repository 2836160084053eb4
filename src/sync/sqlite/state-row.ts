import type { DatabaseSync } from 'node:sqlite'
import type { CopyState, Counts, RunNote } from '../copy.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { lastRunOf, presentOnly, type StateKey } from '../tables/bookkeeping.ts'
import { instantText } from '../tables/values.ts'

/** How far a copy has come; all null before its first commit. */
export interface Position {
  readonly cursorMs: number | null
  readonly memo: string | null
  readonly lastRun: CopyState['lastRun']
}

/** Reads how far a copy has come; null: there is no row of it. */
export function readPosition(database: DatabaseSync, { source, resource }: StateKey): Position | null {
  const row = database.prepare('SELECT * FROM sync_state WHERE source = ? AND resource = ?').get(source, resource)
  if (row === undefined) return null
  return {
    cursorMs: msOf(row['cursor']),
    memo: typeof row['memo'] === 'string' ? row['memo'] : null,
    lastRun: lastRunOf(row, msOf(row['run_started_at'])),
  }
}

/** Writes how far a copy has come, and what the run has done with this commit. */
export function writePosition(
  database: DatabaseSync,
  { source, resource }: StateKey,
  cursorMs: number,
  note: RunNote,
  done: Counts,
): void {
  const { before, memo, requests, startedMs } = note
  database
    .prepare(
      `INSERT INTO sync_state (source, resource, epoch, cursor, memo, run_started_at, run_requests, run_added, run_changed, run_unchanged)
       VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source, resource) DO UPDATE SET cursor = excluded.cursor, memo = excluded.memo,
         run_started_at = excluded.run_started_at, run_requests = excluded.run_requests, run_added = excluded.run_added,
         run_changed = excluded.run_changed, run_unchanged = excluded.run_unchanged`,
    )
    .run(
      source,
      resource,
      instantText(cursorMs),
      memo,
      instantText(startedMs),
      requests,
      before.added + done.added,
      before.changed + done.changed,
      before.unchanged + done.unchanged,
    )
}

/** The zone with which the local times of a copy became instants; null: none. */
export function readZone(database: DatabaseSync, { source, resource }: StateKey): string | null {
  const row = database
    .prepare('SELECT timezone FROM sync_state WHERE source = ? AND resource = ?')
    .get(source, resource)
  return typeof row?.['timezone'] === 'string' ? row['timezone'] : null
}

/** Writes it. */
export function writeZone(database: DatabaseSync, { source, resource }: StateKey, timezone: string): void {
  database
    .prepare(
      `INSERT INTO sync_state (source, resource, epoch, timezone) VALUES (?, ?, 0, ?)
       ON CONFLICT (source, resource) DO UPDATE SET timezone = excluded.timezone`,
    )
    .run(source, resource, timezone)
}

/** Forgets how far a copy has come. Its records stay. */
export function forgetPosition(database: DatabaseSync, { source, resource }: StateKey): void {
  database
    .prepare('UPDATE sync_state SET cursor = NULL, memo = NULL WHERE source = ? AND resource = ?')
    .run(source, resource)
}

/** How many records a copy has. Gift cards that went do not count. */
export function countRows(database: DatabaseSync, { source, resource }: StateKey): number {
  const row = database
    .prepare(`SELECT count(*) AS n FROM ${MAIN_TABLES[resource].name} WHERE source = ?${presentOnly(resource)}`)
    .get(source)
  return Number(row?.['n'])
}

function msOf(value: unknown): number | null {
  return typeof value === 'string' ? Date.parse(value) : null
}
