import { basename } from 'node:path'
import type { Failure } from '../../base/failure/failure.ts'
import type { TimeRange } from '../../base/time/window.ts'
import type { Caller } from '../../client/calls/caller.ts'
import type { OperationStore } from '../../money/operations/store.ts'
import type { StoredDelivery } from '../../webhooks/events/journal/read-journal.ts'
import { readEvent } from '../../webhooks/events/read-event.ts'
import { REPAIR_HEADER } from '../../webhooks/gaps/arrivals.ts'
import { isDatabase } from '../../webhooks/inbox/open-inbox.ts'
import type { Copies } from './copies.ts'
import type { CardUse, Entry } from './entry.ts'

interface DeliveryFilter {
  /** The booking IDs and upper-case card numbers for which to add deliveries. */
  readonly subjects: ReadonlySet<string>
  /** The ID of the record's location, or `null` if it is unknown. Deliveries for other locations are marked as odd. */
  readonly locationId: string | null
}

/** The sources of a timeline, and options for reading them. */
export interface TimelineSources extends Copies {
  readonly caller: Caller
  /** The service's name in stored operations: its base URL, or `sandbox`. */
  readonly service: string
  readonly store: OperationStore
  readonly journals: readonly { readonly name: string; readonly deliveries: AsyncIterable<readonly StoredDelivery[]> }[]
  /** The period to search for sales, or `null` to derive it from the booking or sale. */
  readonly salesRange: TimeRange | null
  /** The current time in epoch milliseconds. */
  readonly nowMs: number
  /** The venue's time zone. If it is `null`, local times are read as UTC. */
  readonly timezone: string | null
}

/** Everything that is known about a booking, gift card or sale, in chronological order. */
export interface Timeline {
  readonly entries: readonly Entry[]
  /** Explains why the service's part of the timeline is incomplete; `null` if it is complete. */
  readonly failure: Failure | null
  /** The period that was searched for sales; `null` if sales were not searched. */
  readonly searched: TimeRange | null
  /** The number of records that were skipped because they have no date. */
  readonly undated: number
}

/**
 * Adds an entry for each matching delivery and sorts all entries by time. Entries with the same time keep their order.
 * Throws if a journal cannot be read.
 */
export async function withDeliveries(
  entries: readonly Entry[],
  { journals }: TimelineSources,
  wanted: DeliveryFilter,
): Promise<Entry[]> {
  const all = [...entries]
  for (const { name, deliveries } of journals)
    for await (const batch of deliveries)
      for (const delivery of batch) {
        const entry = toEntry(delivery, isDatabase(name) ? 'inbox' : basename(name), wanted)
        if (entry) all.push(entry)
      }
  return all.toSorted((a, b) => a.atMs - b.atMs)
}

function toEntry(
  { timeMs, line, headers, body, verdict }: StoredDelivery,
  name: string,
  wanted: DeliveryFilter,
): Entry | null {
  const read = readEvent(body)
  const subject = read?.kind === 'card' ? (read.subject?.toUpperCase() ?? null) : (read?.subject ?? null)
  if (read === null || subject === null || !wanted.subjects.has(subject)) return null
  const event = read.event ?? 'an event without a name'
  const isElsewhere = wanted.locationId !== null && read.locationId !== null && wanted.locationId !== read.locationId
  const oddities = [
    verdict === 'duplicate' ? 'the same event arrived shortly before' : null,
    verdict === 'stale' ? 'the creation event arrived after another event for the same record' : null,
    isElsewhere ? `it is for another venue: ${read.locationId}` : null,
  ].filter((oddity) => oddity !== null)
  return {
    ...{ kind: 'delivery', source: 'journal', where: `${name}:${line}`, subject, atMs: timeMs },
    text: `${event} arrived${headers[REPAIR_HEADER] === '1' ? ', sent by a repair' : ''}`,
    oddity: oddities.join('; ') || null,
    act: actOf(event, timeMs),
  }
}

/**
 * Returns the redemption or cancellation that an event reports. Its time is the event's arrival, because the actual
 * time is unknown.
 */
function actOf(event: string, timeMs: number): CardUse | undefined {
  if (event === 'GIFTCARDS_REDEEMED') return { what: 'redeemed', afterMs: timeMs }
  return event === 'GIFTCARDS_CANCELLED' ? { what: 'cancelled', afterMs: timeMs } : undefined
}
