import type { Connection } from '../../postgres/connection.ts'
import { literal } from '../../postgres/literal.ts'
import { describeHolder, parseHolder } from '../../sync/postgres/lease/holder.ts'
import type { Delivery, Verdict } from '../events/journal/entry.ts'
import { type InboxPlace, withInbox } from './open-inbox.ts'
import { epochMsSql, type Repeat, readHeaders, readRepeats } from './rows.ts'
import type { InboxState } from './schema.ts'

const BATCH = 500

/** A delivery in an inbox, including its duplicates within the window. */
export interface InboxDelivery extends Delivery {
  readonly id: string
  readonly state: InboxState
  readonly times: number
  readonly repeats: readonly Repeat[]
}

/**
 * Reads, in order, all deliveries that are in an inbox when reading starts. Throws NOT_FOUND if no inbox exists, or the
 * same errors as `Connection.open`.
 */
export async function* readInbox(place: InboxPlace, signal: AbortSignal): AsyncGenerator<readonly InboxDelivery[]> {
  const most = await withInbox(place, signal, async (connection) => {
    const [row] = await connection.query('SELECT coalesce(max(id), 0) AS most FROM inbox')
    return row?.['most'] ?? '0'
  })
  for (let last = '0'; ; ) {
    const after = last
    const batch = await withInbox(place, signal, (connection) => readBetween(connection, after, most))
    const end = batch.at(-1)
    if (end === undefined) return
    yield batch
    last = end.id
  }
}

async function readBetween(connection: Connection, after: string, to: string): Promise<readonly InboxDelivery[]> {
  const rows = await connection.query(
    `SELECT id, headers, encode(body, 'hex') AS body, verdict, state, times, repeats, ${epochMsSql('received_at')}
     FROM inbox WHERE id > ${after} AND id <= ${to} ORDER BY id LIMIT ${BATCH}`,
  )
  return rows.map((row) => ({
    id: row['id'] ?? '',
    state: row['state'] as InboxState,
    times: Number(row['times']),
    timeMs: Number(row['received_at']),
    repeats: readRepeats(row),
    headers: readHeaders(row),
    body: Buffer.from(row['body'] ?? '', 'hex'),
    verdict: row['verdict'] as Verdict,
  }))
}

/** Row filters. An empty filter matches all rows. */
export interface InboxFilter {
  readonly states: readonly InboxState[]
  readonly events: readonly string[]
  /** Booking IDs and card numbers, in upper case. */
  readonly subjects: readonly string[]
}

/** Returns rows to display, newest first, with times in ISO 8601. Throws the same errors as `query`. */
export async function listInbox(connection: Connection, choice: InboxFilter, most: number) {
  const rows = await connection.query(
    `SELECT id, event, kind, subject, location_id, verdict, state, times, attempts, last_error, lease_holder, ${INSTANTS.map(epochMsSql).join(', ')}
     FROM inbox WHERE ${conditionOf(choice)} ORDER BY id DESC LIMIT ${most}`,
  )
  return rows.map((row) => {
    const at = (column: (typeof INSTANTS)[number]) => {
      const ms = row[column]
      return ms === null || ms === undefined ? null : new Date(Number(ms)).toISOString()
    }
    const isLeased = row['state'] === 'leased'
    const text = (column: string) => row[column] ?? null
    return {
      ...{ id: Number(row['id']), state: text('state'), event: text('event'), subject: text('subject') },
      ...{ locationId: text('location_id'), receivedAt: at('received_at'), lastReceivedAt: at('last_received_at') },
      ...{ times: Number(row['times']), verdict: text('verdict'), attempts: Number(row['attempts']) },
      lastError: text('last_error'),
      nextAt: row['state'] === 'waiting' ? at('next_at') : null,
      worker: isLeased ? describeHolder(parseHolder(row['lease_holder'] ?? null)) : null,
      ...{ leaseUntil: isLeased ? at('lease_until') : null, doneAt: at('done_at') },
    }
  })
}

const INSTANTS = ['received_at', 'last_received_at', 'next_at', 'lease_until', 'done_at'] as const

/** Counts the events in an inbox by state. Throws the same errors as `query`. */
export async function countInbox(connection: Connection): Promise<Readonly<Record<InboxState, number>>> {
  const rows = await connection.query('SELECT state, count(*) AS n FROM inbox GROUP BY state')
  const found = Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)])) as Partial<
    Record<InboxState, number>
  >
  return { waiting: 0, leased: 0, done: 0, dead: 0, ...found }
}

/**
 * Returns the arrival time of the last delivery, in epoch milliseconds, or `null` if the inbox is empty. Throws the
 * same errors as `query`.
 */
export async function lastReceivedMs(connection: Connection): Promise<number | null> {
  const [row] = await connection.query(
    'SELECT (extract(epoch FROM max(last_received_at)) * 1000)::bigint AS last FROM inbox',
  )
  return row?.['last'] ? Number(row['last']) : null
}

/**
 * Makes events due now and resets their attempt counts. `which` is `dead` for all dead events, or the IDs of dead or
 * waiting events. Returns the IDs of the changed events. Throws the same errors as `query`.
 */
export async function retryEvents(
  connection: Connection,
  which: readonly string[] | 'dead',
): Promise<readonly string[]> {
  const condition =
    which === 'dead' ? `state = 'dead'` : `state IN ('dead', 'waiting') AND id IN (${which.join(', ') || 'NULL'})`
  const rows = await connection.query(
    `UPDATE inbox SET state = 'waiting', attempts = 0, next_at = clock_timestamp() WHERE ${condition} RETURNING id`,
  )
  return rows.map(({ id }) => id ?? '')
}

/**
 * Deletes events that were both handled and last delivered before the given time. Returns how many were deleted. Throws
 * the same errors as `query`.
 */
export async function purgeDone(connection: Connection, beforeMs: number): Promise<number> {
  const rows = await connection.query(
    `DELETE FROM inbox WHERE state = 'done' AND greatest(done_at, last_received_at) < to_timestamp(${beforeMs / 1000}) RETURNING id`,
  )
  return rows.length
}

function conditionOf({ states, events, subjects }: InboxFilter): string {
  const among = (what: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${what} IN (${values.map(literal).join(', ')})`]
  const parts = [...among('state', states), ...among('event', events), ...among('upper(subject)', subjects)]
  return parts.join(' AND ') || 'true'
}
