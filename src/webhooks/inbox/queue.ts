import type { TextRow } from '../../base/storage/text-row.ts'
import type { Connection } from '../../postgres/connection.ts'
import { literal } from '../../postgres/literal.ts'
import { leaseEnd } from '../../sync/postgres/lease/lease.ts'
import type { ReadEvent } from '../events/read-event.ts'
import { epochMsSql, readHeaders } from './rows.ts'

/** The waits between attempts, in seconds. If the last attempt fails, the event is marked dead. */
const RETRY_AFTER_S = [10, 60, 300, 1800, 7200] as const
const MOST_ATTEMPTS = RETRY_AFTER_S.length + 1

/** An event that a worker has leased. */
export interface LeasedEvent {
  readonly id: string
  /** How many times the event has been leased. A worker with an outdated number has lost its lease. */
  readonly epoch: number
  /** The number of the current attempt, starting at 1. */
  readonly attempt: number
  /** How many times the event has been delivered. */
  readonly times: number
  readonly read: ReadEvent
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict: string
  /** When the event was first delivered, in epoch milliseconds. */
  readonly timeMs: number
}

/**
 * The outcome of handling a leased event. `again` means that it was handled but delivered again in the meantime, so it
 * is due again. `retry` means that it failed and will be attempted again later. `lost` means that another worker took
 * it over.
 */
export type Outcome = 'done' | 'again' | 'retry' | 'dead' | 'lost'

/**
 * The outcome of an attempt. `nextMs` is the time of the next attempt in epoch milliseconds, or `null` if there is
 * none.
 */
export type Finished = { readonly outcome: Outcome; readonly nextMs: number | null }

type LeaseOptions = { readonly holder: string; readonly leaseMs: number }

/** Distinguishes our keys for pg_advisory_xact_lock from those of other programs. */
const SUBJECT_LOCK = 0x696e626f

const IS_HELD = `i.subject IS NOT NULL AND EXISTS (SELECT FROM inbox AS held WHERE held.state = 'leased' AND held.id <> i.id
  AND held.subject = i.subject AND held.kind = i.kind AND held.lease_until > clock_timestamp())`

/**
 * Leases events that are due, oldest first, at most one per booking or card. Throws the same errors as `query`. After
 * an error, the caller must roll back.
 */
export async function takeDue(connection: Connection, { holder, leaseMs }: LeaseOptions, most: number) {
  // Each booking or card is locked until the commit. Until then, other workers skip its events.
  const free = await connection.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
     UPDATE inbox SET state = 'dead', lease_until = NULL, lease_holder = NULL, lease_epoch = lease_epoch + 1,
       last_error = 'every worker that handled the event lost its lease' WHERE id IN (SELECT id FROM inbox WHERE state = 'leased'
       AND lease_until <= clock_timestamp() AND attempts >= ${MOST_ATTEMPTS} FOR UPDATE SKIP LOCKED);
     WITH due AS MATERIALIZED (
       SELECT id, kind, subject FROM inbox AS i WHERE state IN ('waiting', 'leased')
         AND CASE state WHEN 'waiting' THEN next_at ELSE lease_until END <= clock_timestamp() AND NOT (${IS_HELD})
       ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)
     SELECT id, kind, subject FROM due
     WHERE pg_try_advisory_xact_lock(hashtextextended(coalesce(kind || ' ' || subject, id::text), ${SUBJECT_LOCK}))`,
  )
  const chosen = new Map(free.toReversed().map(({ id, kind, subject }) => [subject ? `${kind} ${subject}` : id, id]))
  if (chosen.size === 0) {
    await connection.query('COMMIT')
    return []
  }
  const rows = await connection.query(
    `UPDATE inbox AS i SET state = 'leased', attempts = attempts + 1, came_again = false, lease_epoch = lease_epoch + 1,
       lease_until = ${leaseEnd(leaseMs)}, lease_holder = ${literal(holder)}
     WHERE id IN (${[...chosen.values()].join(', ')}) AND NOT (${IS_HELD})
     RETURNING id, event, kind, subject, location_id, encode(body, 'hex') AS body, headers, verdict, times, attempts, lease_epoch,
       ${epochMsSql('received_at')}`,
  )
  await connection.query('COMMIT')
  return rows.map(leasedOf).sort((a, b) => Number(a.id) - Number(b.id))
}

/** Renews leases. Returns the IDs of the events whose leases are still valid. Throws the same errors as `query`. */
export async function renewLeases(connection: Connection, held: readonly LeasedEvent[], leaseMs: number) {
  const keys = held.map(({ id, epoch }) => `(${id}, ${epoch})`)
  const rows = await connection.query(
    `UPDATE inbox SET lease_until = ${leaseEnd(leaseMs)}
     WHERE (id, lease_epoch) IN (VALUES ${keys.join(', ')}) AND state = 'leased' RETURNING id`,
  )
  return new Set(rows.map(({ id }) => id ?? ''))
}

/**
 * Marks an event as handled. It is safe to call this again if the response was lost. Throws the same errors as `query`.
 */
export function markDone(connection: Connection, leased: LeasedEvent): Promise<Finished> {
  return finish(
    connection,
    leased,
    `state = CASE WHEN came_again THEN 'waiting' ELSE 'done' END, next_at = clock_timestamp(), last_error = NULL,
     attempts = CASE WHEN came_again THEN 0 ELSE attempts END, done_at = CASE WHEN came_again THEN NULL ELSE clock_timestamp() END`,
    'done',
  )
}

/**
 * Records a failed attempt. It is safe to call this again if the response was lost. Throws the same errors as `query`.
 */
export function markFailed(connection: Connection, leased: LeasedEvent, why: string): Promise<Finished> {
  const afterS = RETRY_AFTER_S[leased.attempt - 1]
  const state = afterS === undefined ? `CASE WHEN came_again THEN 'waiting' ELSE 'dead' END` : `'waiting'`
  return finish(
    connection,
    leased,
    `state = ${state}, attempts = CASE WHEN came_again THEN 0 ELSE attempts END, last_error = ${literal(why)},
     next_at = clock_timestamp() + CASE WHEN came_again THEN 1 ELSE ${(afterS ?? 0) / RETRY_AFTER_S[0]} END * interval '${RETRY_AFTER_S[0]} seconds'`,
    'retry',
  )
}

async function finish(
  connection: Connection,
  { id, epoch }: LeasedEvent,
  sets: string,
  meant: 'done' | 'retry',
): Promise<Finished> {
  const shown = `state, lease_epoch, ${epochMsSql('next_at')}`
  const [row] = await connection.query(
    `UPDATE inbox SET ${sets}, came_again = false, lease_until = NULL, lease_holder = NULL
     WHERE id = ${id} AND lease_epoch = ${epoch} AND state = 'leased' RETURNING ${shown}`,
  )
  if (row !== undefined) return finishedOf(row, meant)
  const [present] = await connection.query(`SELECT ${shown} FROM inbox WHERE id = ${id}`)
  // An earlier call has already marked the event, but its response was lost.
  if (Number(present?.['lease_epoch']) === epoch && present !== undefined) return finishedOf(present, meant)
  return { outcome: 'lost', nextMs: null }
}

function finishedOf({ state, next_at }: TextRow, meant: 'done' | 'retry'): Finished {
  if (state === 'done' || state === 'dead') return { outcome: state, nextMs: null }
  return { outcome: meant === 'done' ? 'again' : 'retry', nextMs: Number(next_at) }
}

function leasedOf(row: TextRow): LeasedEvent {
  return {
    id: row['id'] ?? '',
    epoch: Number(row['lease_epoch']),
    attempt: Number(row['attempts']),
    times: Number(row['times']),
    read: {
      event: row['event'] ?? null,
      kind: row['kind'] === 'booking' || row['kind'] === 'card' ? row['kind'] : null,
      subject: row['subject'] ?? null,
      locationId: row['location_id'] ?? null,
    },
    headers: readHeaders(row),
    body: Buffer.from(row['body'] ?? '', 'hex'),
    verdict: row['verdict'] ?? 'new',
    timeMs: Number(row['received_at']),
  }
}
