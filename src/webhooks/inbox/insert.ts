import { createHash } from 'node:crypto'
import type { Connection } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { literal } from '../../postgres/literal.ts'
import { jsonForPostgres } from '../../sync/postgres/literals.ts'
import type { Delivery, Verdict } from '../events/journal/entry.ts'
import type { ReadEvent } from '../events/read-event.ts'
import { marksOn } from '../listener/mark.ts'
import { INBOX_CHANNEL, MAX_INDEXED_CHARACTERS, MAX_REPEATS } from './schema.ts'

export interface ArrivedDelivery extends Pick<Delivery, 'headers' | 'body'> {
  readonly read: ReadEvent
  readonly hash: string
}

export function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/**
 * An SQL pattern for events that can happen only once per booking or card. A repeat of such an event is always a
 * duplicate.
 */
const ONCE = `'_(CREATED|CANCELLED)$'`
const CREATED = `'_CREATED$'`

/**
 * Returns the deliveries that were forwarded by a worker of this inbox. Storing them would create an endless loop.
 * Throws the same errors as `query`.
 */
export async function findReturned<T extends ArrivedDelivery>(connection: Connection, deliveries: readonly T[]) {
  const marks = [...new Set(deliveries.flatMap(({ headers }) => marksOn(headers)))]
  if (marks.length === 0) return []
  const rows = await connection.query(
    `SELECT DISTINCT mark FROM inbox, LATERAL (SELECT lease_holder::jsonb ->> 'token' AS mark) AS holder
     WHERE state = 'leased' AND mark IN (${marks.map(literal).join(', ')})`,
  )
  const ours = new Set(rows.map(({ mark }) => mark))
  return deliveries.filter(({ headers }) => marksOn(headers).some((mark) => ours.has(mark)))
}

/**
 * Inserts deliveries with different hashes in one transaction, and returns their verdicts. If a row within the window
 * has the same body, counts the delivery in that row instead. If the event can happen more than once, the repeat may be
 * a second change: a done or leased row is handled once more, and a waiting row becomes due now. A dead row always gets
 * new attempts. Notifies {@link INBOX_CHANNEL}. Throws the same errors as `query`. After an error, the caller must roll
 * back. After ConnectionLost, it can then try again.
 */
export async function insertDeliveries(
  connection: Connection,
  deliveries: readonly ArrivedDelivery[],
  windowMs: number,
) {
  // Other listeners that received the same delivery wait for the commit and then see its row. Locking in a fixed order
  // prevents deadlocks.
  const locks = deliveries.map(({ hash }) => BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`))).sort(ascending)
  const rows = deliveries.map(
    ({ read: { event, kind, subject, locationId }, headers, body, hash }, n) =>
      `(${n}, ${text(event)}, ${text(kind)}, ${text(subject)}, ${text(locationId)}, ${bytes(body)}, '\\x${hash}'::bytea, ${literal(jsonForPostgres(JSON.stringify(headers)))}::jsonb)`,
  )
  const found = await connection.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
     SELECT pg_advisory_xact_lock(key) FROM unnest('{${locks.join(',')}}'::bigint[]) AS key;
     ${insertSql(rows, windowMs)}`,
  )
  // A row was deleted before the delivery could be counted in it.
  if (found.length < deliveries.length) throw new ConnectionLost('a row in the inbox was deleted during the insert')
  await connection.query(`NOTIFY ${INBOX_CHANNEL}; COMMIT`)
  const verdicts = new Map(found.map(({ n, verdict }) => [Number(n), verdict as Verdict]))
  return deliveries.map((_, n) => verdicts.get(n) ?? 'new')
}

function insertSql(rows: readonly string[], windowMs: number): string {
  return `WITH came (n, event, kind, subject, location_id, body, body_hash, headers) AS (VALUES ${rows.join(',\n')}),
     earlier AS (
       SELECT DISTINCT ON (came.n) came.n, inbox.id, jsonb_build_object('timeMs', round(extract(epoch FROM clock_timestamp()) * 1000),
         'headers', came.headers) AS repeat, coalesce(came.event ~ ${ONCE}, false) AS is_once FROM came JOIN inbox USING (body_hash)
       WHERE inbox.last_received_at >= clock_timestamp() - interval '${windowMs} milliseconds' ORDER BY came.n, inbox.id DESC),
     again AS (
       UPDATE inbox SET times = times + 1, last_received_at = clock_timestamp(),
         repeats = CASE WHEN jsonb_array_length(repeats) < ${MAX_REPEATS} THEN repeats ELSE repeats - 0 END || repeat,
         came_again = came_again OR (state = 'leased' AND NOT is_once),
         state = CASE WHEN ${REOPENS} THEN 'waiting' ELSE state END,
         attempts = CASE WHEN ${REOPENS} THEN 0 ELSE attempts END,
         next_at = CASE WHEN ${REOPENS} THEN clock_timestamp() ELSE next_at END,
         done_at = CASE WHEN ${REOPENS} THEN NULL ELSE done_at END
       FROM earlier WHERE inbox.id = earlier.id RETURNING earlier.n),
     added AS (
       INSERT INTO inbox (event, kind, subject, location_id, body, body_hash, headers, received_at, last_received_at, times, repeats, verdict, state,
         came_again, attempts, next_at, lease_epoch)
       SELECT event, kind, subject, location_id, body, body_hash, headers, clock_timestamp(), clock_timestamp(), 1, '[]',
         CASE WHEN event ~ ${ONCE} AND ${hasEarlierEvent('before.event = came.event')} THEN 'duplicate'
              WHEN event ~ ${CREATED} AND ${hasEarlierEvent(`before.event !~ ${CREATED}`)} THEN 'stale' ELSE 'new' END,
         'waiting', false, 0, clock_timestamp(), 0
       FROM came WHERE n NOT IN (SELECT n FROM earlier) ORDER BY n RETURNING body_hash, verdict)
     SELECT n, 'duplicate' AS verdict FROM again UNION ALL SELECT came.n, added.verdict FROM added JOIN came USING (body_hash)`
}

/** An SQL condition that is true if a repeated delivery causes its row to be handled again. */
const REOPENS = `state = 'dead' OR (state IN ('waiting', 'done') AND NOT is_once)`

/**
 * Returns an SQL condition that is true if the booking or card already had an event that matches `which`, in the inbox
 * or in this transaction.
 */
function hasEarlierEvent(which: string): string {
  const ofTheSame = `before.subject = came.subject AND before.kind = came.kind AND ${which}`
  return `(EXISTS (SELECT FROM inbox AS before WHERE ${ofTheSame}) OR EXISTS (SELECT FROM came AS before WHERE before.n < came.n AND ${ofTheSame}))`
}

function text(value: string | null): string {
  return `${literal(value === null ? null : value.slice(0, MAX_INDEXED_CHARACTERS).toWellFormed())}::text`
}

function bytes(body: Uint8Array): string {
  return `'\\x${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('hex')}'::bytea`
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
