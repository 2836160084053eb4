import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { KeptDelivery } from '../events/journal/read-journal.ts'
import { readEvent } from '../events/read-event.ts'

/** How far the clocks of the listener and the service may differ: a delivery may seem to precede its change. */
export const CLOCKS_MS = 60_000

/** The header of deliveries that a repair sent, in lower case. Its value is 1. */
export const REPAIR_HEADER = 'x-partner-repair'

/** A delivery of one event of one booking or card. */
export interface Arrival {
  readonly timeMs: number
  readonly line: number
  readonly isRepair: boolean
}

/** `locationId` is null if the delivery names no venue. */
export interface ReadArrival extends Arrival {
  readonly locationId: string | null
}

/** The deliveries of some events. */
export type Arrivals = Awaited<ReturnType<typeof readArrivals>>

/**
 * Reads the deliveries of these events, and when the first and last of any event came. `unreadable`: those of an
 * unknown event, or without a booking or card. Fails: as the source does.
 */
export async function readArrivals(
  source: AsyncIterable<readonly KeptDelivery[]>,
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
