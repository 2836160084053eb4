import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { StoredDelivery } from '../events/journal/read-journal.ts'
import { readEvent } from '../events/read-event.ts'

/**
 * The allowed clock skew between the listener and the service, in milliseconds. With clock skew, a delivery may seem to
 * arrive before its change.
 */
export const CLOCK_SKEW_MS = 60_000

/** The name, in lower case, of the header that marks deliveries sent by a repair. Its value is `1`. */
export const REPAIR_HEADER = 'x-partner-repair'

/** A delivery of one event for one booking or card. */
export interface Arrival {
  readonly timeMs: number
  readonly line: number
  readonly isRepair: boolean
}

/** A delivery and its venue. */
export interface ReadArrival extends Arrival {
  /** The venue, or `null` if the delivery does not contain one. */
  readonly locationId: string | null
}

/** The deliveries of the requested events, grouped by booking or card. */
export type Arrivals = Awaited<ReturnType<typeof readArrivals>>

/**
 * Reads the deliveries of the given events and the times of the first and last delivery of any event. `unreadable` is
 * the number of deliveries with an unknown event or without a booking or card. Throws if the deliveries cannot be read.
 */
export async function readArrivals(
  source: AsyncIterable<readonly StoredDelivery[]>,
  events: ReadonlySet<WebhookEvent>,
  signal: AbortSignal,
) {
  const bySubject = new Map<string, Map<WebhookEvent, ReadArrival[]>>()
  let firstMs: number | null = null
  let lastMs: number | null = null
  let unreadable = 0
  for await (const batch of source) {
    signal.throwIfAborted()
    for (const { timeMs, headers, body, line } of batch) {
      firstMs = Math.min(firstMs ?? timeMs, timeMs)
      lastMs = Math.max(lastMs ?? timeMs, timeMs)
      const read = readEvent(body)
      const event = WEBHOOK_EVENTS.find((known) => known === read?.event)
      if (read?.subject == null || event === undefined) unreadable++
      else if (events.has(event)) {
        const byEvent = bySubject.get(read.subject) ?? new Map<WebhookEvent, ReadArrival[]>()
        const list = byEvent.get(event) ?? []
        list.push({ timeMs, line, isRepair: headers[REPAIR_HEADER] === '1', locationId: read.locationId })
        bySubject.set(read.subject, byEvent.set(event, list))
      }
    }
  }
  for (const byEvent of bySubject.values())
    for (const list of byEvent.values()) list.sort((a, b) => a.timeMs - b.timeMs || a.line - b.line)
  return { firstMs, lastMs, unreadable, bySubject }
}
