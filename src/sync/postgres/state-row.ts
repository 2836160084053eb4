import type { CardStates, ChosenSnapshots, CopyState, Counts, RunNote, SnapshotHistory } from '../copy.ts'
import { MAIN_TABLES } from '../tables/all.ts'
import { lastRunOf, presentOnly, type StateKey } from '../tables/bookkeeping.ts'
import { cardStatesOf, chosenHeads, foundQuery, openingQuery } from '../tables/card-states.ts'
import { headsFrom, historyOf, historyQuery, type SnapshotHead } from '../tables/snapshot.ts'
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

/** What the snapshots of the gift cards of a source found, from the last one before an instant on. */
export async function readSnapshots(connection: Connection, source: string, fromMs: number): Promise<SnapshotHistory> {
  const ofSource = `source = ${literal(source)}`
  const asked = headsFrom(await readHeads(connection, ofSource), fromMs)
  const ofSnapshots = `snapshot_id > ${asked[0]?.id ?? 0} AND snapshot_id <= ${asked.at(-1)?.id ?? 0}`
  const changes = await connection.query(historyQuery(ofSource, ofSnapshots))
  return historyOf(asked, changes)
}

/** How the gift cards of a source stood at a snapshot, and what later ones found. `connection` null: it has no tables. Fails: as `choose`. */
export async function readCardStates(
  connection: Connection | null,
  source: string,
  choose: (takenMs: readonly number[]) => ChosenSnapshots,
): Promise<CardStates> {
  const ofSource = `source = ${literal(source)}`
  const heads = chosenHeads(connection === null ? [] : await readHeads(connection, ofSource), choose)
  const [from = 0, to = 0] = [heads[0]?.id, heads.at(-1)?.id]
  const opening = (await connection?.query(openingQuery(ofSource, `snapshot_id <= ${from}`))) ?? []
  const ofSnapshots = `snapshot_id > ${from} AND snapshot_id <= ${to}`
  const found = (await connection?.query(foundQuery(ofSource, ofSnapshots))) ?? []
  return cardStatesOf(heads, opening, found)
}

async function readHeads(connection: Connection, ofSource: string): Promise<readonly SnapshotHead[]> {
  const heads = await connection.query(
    `SELECT id, round(extract(epoch FROM taken_at) * 1000)::bigint AS taken_ms FROM gift_card_snapshots WHERE ${ofSource} ORDER BY id`,
  )
  return heads.map((head) => ({ id: Number(head['id']), takenMs: Number(head['taken_ms']) }))
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text)
}
