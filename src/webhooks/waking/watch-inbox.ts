import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../base/failure/failure.ts'
import type { TextRow } from '../../base/storage/text-row.ts'
import type { Connection, Limits } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import type { InboxPlace } from '../inbox/open-inbox.ts'
import { ReconnectingConnection } from '../inbox/reconnecting-connection.ts'
import { INBOX_CHANNEL } from '../inbox/schema.ts'
import { type BookingEvent, type EventWatch, toBookingEvent, UNSEEN } from './booking-event.ts'

/** How often to query without a notification. Older listeners do not send notifications, and a pooler may drop them. */
const LOOK_EVERY_MS = 1000
const SHORTEST_PAUSE_MS = 100
const LIMITS: Limits = { statementMs: 5000, lockMs: 2000, idleInTransactionMs: 5000 }

/**
 * Selects the newest rows that were delivered recently. Rows become visible only when they are committed, so
 * consecutive queries cover overlapping periods. The table is read by primary key, because it has no index on time.
 */
const RECENT = `SELECT id, times, event, kind, subject, location_id FROM (SELECT * FROM inbox ORDER BY id DESC LIMIT 500) AS newest
  WHERE last_received_at > clock_timestamp() - interval '1 minute'`

/**
 * Watches an inbox for new events. If the database is unreachable, reports that once and reconnects. Events that may
 * have been missed in the meantime are reported as one {@link UNSEEN} event. Throws the same errors as `openInbox`,
 * except ConnectionLost.
 */
export async function watchInbox(place: InboxPlace, signal: AbortSignal, { onEvents, report }: EventWatch) {
  const ending = new AbortController()
  const steady = await ReconnectingConnection.openPatiently(place, LIMITS, { signal, report })
  let listening: Connection | null = null
  let seen = new Map<string, number>()
  let isNotified = false
  let endWait = () => {}
  const onNotified = () => {
    isNotified = true
    endWait()
  }
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const look = async (connection: Connection): Promise<readonly BookingEvent[]> => {
    const isNew = connection !== listening
    if (isNew) await connection.listen(INBOX_CHANNEL, onNotified).catch(throwIfLost)
    const rows = await connection.query(RECENT)
    const fresh = rows.filter(({ id, times }) => Number(times) > (seen.get(id ?? '') ?? 0))
    seen = new Map(rows.map(({ id, times }) => [id ?? '', Number(times)]))
    listening = connection
    return isNew ? [UNSEEN] : fresh.flatMap(eventOf)
  }
  const watch = async () => {
    let trouble: string | null = null
    while (!ending.signal.aborted) {
      isNotified = false
      try {
        const events = await steady.run(look, ending.signal)
        if (trouble !== null) report(`${place.words} is readable again`)
        trouble = null
        if (events.length > 0) onEvents(events)
      } catch (error) {
        if (ending.signal.aborted) return
        if (trouble === null) report(`cannot read ${place.words}: ${wordsFor(error)}; trying again`)
        trouble = wordsFor(error)
      }
      await delay(SHORTEST_PAUSE_MS)
      if (!isNotified && !ending.signal.aborted) await wait(LOOK_EVERY_MS)
    }
  }
  if (steady.trouble === null) {
    try {
      await look(await steady.get())
    } catch (error) {
      await closeUnlessLost(steady, error)
    }
  }
  const watching = watch()
  const close = async () => {
    ending.abort(new ConnectionLost('the connection is closed'))
    endWait()
    await watching
    await steady.close()
  }
  return { close }
}

function eventOf({ event = null, kind, subject = null, location_id: locationId = null }: TextRow): BookingEvent[] {
  const isKnown = kind === 'booking' || kind === 'card'
  const read = toBookingEvent({ event, kind: isKnown ? kind : null, subject, locationId })
  return read === null ? [] : [read]
}

/** Ignores errors that only prevent notifications, such as those on a replica. The connection can still be used. */
function throwIfLost(error: unknown): void {
  if (error instanceof ConnectionLost) throw error
}

/** Closes the connection and throws the error. Does nothing if the connection was lost, because it will be reopened. */
async function closeUnlessLost(steady: ReconnectingConnection, error: unknown): Promise<void> {
  if (error instanceof ConnectionLost) return
  await steady.close()
  throw error
}

function wordsFor(error: unknown): string {
  return error instanceof Failure ? error.words : String(error)
}
