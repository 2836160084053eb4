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
import type { CardAct, Entry } from './entry.ts'

interface Wanted {
  /** Booking IDs as they are, card numbers in upper case. */
  readonly subjects: ReadonlySet<string>
  /** The venue of the record, or null. */
  readonly locationId: string | null
}

export interface TimelineSources extends Copies {
  readonly caller: Caller
  /** As in operations. */
  readonly service: string
  readonly store: OperationStore
  readonly journals: readonly { readonly name: string; readonly deliveries: AsyncIterable<readonly StoredDelivery[]> }[]
  /** The period in which sales are searched. Null to derive it from the subject. */
  readonly salesRange: TimeRange | null
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** The venue's zone. Null to read local times as UTC. */
  readonly timezone: string | null
}

/** All that is known of a booking, gift card or sale. */
export interface Timeline {
  readonly entries: readonly Entry[]
  /** Why the service's part is incomplete, or null. */
  readonly failure: Failure | null
  /** The period in which sales were searched. Null if they were not. */
  readonly searched: TimeRange | null
  /** The number of records that are left out because they have no date. */
  readonly undated: number
}

/** Adds deliveries, and sorts all entries by time; the sort is stable. Fails: as a journal does. */
export async function withDeliveries(
  entries: readonly Entry[],
  { journals }: TimelineSources,
  wanted: Wanted,
): Promise<Entry[]> {
  const all = [...entries]
  for (const { name, deliveries } of journals)
    for await (const batch of deliveries)
      for (const delivery of batch) {
        const entry = entryOf(delivery, isDatabase(name) ? 'inbox' : basename(name), wanted)
        if (entry) all.push(entry)
      }
  return all.toSorted((a, b) => a.atMs - b.atMs)
}

function entryOf({ timeMs, line, headers, body, verdict }: StoredDelivery, name: string, wanted: Wanted): Entry | null {
  const read = readEvent(body)
  const subject = read?.kind === 'card' ? (read.subject?.toUpperCase() ?? null) : (read?.subject ?? null)
  if (read === null || subject === null || !wanted.subjects.has(subject)) return null
  const event = read.event ?? 'an event without a name'
  const isElsewhere = wanted.locationId !== null && read.locationId !== null && wanted.locationId !== read.locationId
  const oddities = [
    verdict === 'duplicate' ? 'the same event came shortly before' : null,
    verdict === 'stale' ? 'it came after another event of it' : null,
    isElsewhere ? `it names another venue: ${read.locationId}` : null,
  ].filter((oddity) => oddity !== null)
  return {
    ...{ kind: 'delivery', source: 'journal', where: `${name}:${line}`, subject, atMs: timeMs },
    text: `${event} came${headers[REPAIR_HEADER] === '1' ? ', sent by a repair' : ''}`,
    oddity: oddities.join('; ') || null,
    act: actOf(event, timeMs),
  }
}

/** Deliveries may be late, so they only show the order in which events arrived. */
function actOf(event: string, timeMs: number): CardAct | undefined {
  if (event === 'GIFTCARDS_REDEEMED') return { what: 'redeemed', afterMs: timeMs }
  return event === 'GIFTCARDS_CANCELLED' ? { what: 'cancelled', afterMs: timeMs } : undefined
}
