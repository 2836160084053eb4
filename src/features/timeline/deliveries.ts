import { basename } from 'node:path'
import { readEvent } from '../../webhooks/events/read-event.ts'
import { REPAIR_HEADER } from '../../webhooks/gaps/arrivals.ts'
import type { KeptDelivery } from '../../webhooks/gaps/source.ts'
import { isDatabase } from '../../webhooks/inbox/open-inbox.ts'
import type { CardAct, Entry } from './entry.ts'

/** A journal of deliveries: how the command line names it, and what it has. */
export interface Journal {
  readonly name: string
  readonly deliveries: AsyncIterable<readonly KeptDelivery[]>
}

/** What a reader of deliveries looks for. */
export interface Wanted {
  /** Booking IDs as they are, card numbers in upper case. */
  readonly subjects: ReadonlySet<string>
  /** The venue that the record names; null: it names none. */
  readonly locationId: string | null
}

/** An entry for each delivery that names one of the subjects. Fails: as the journal does. */
export async function deliveryEntries({ name, deliveries }: Journal, wanted: Wanted): Promise<Entry[]> {
  const entries: Entry[] = []
  const short = isDatabase(name) ? 'inbox' : basename(name)
  for await (const batch of deliveries)
    for (const delivery of batch) {
      const entry = entryOf(delivery, short, wanted)
      if (entry) entries.push(entry)
    }
  return entries
}

function entryOf({ timeMs, line, headers, body, verdict }: KeptDelivery, name: string, wanted: Wanted): Entry | null {
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

/** A delivery may be late, so it tells only in which order the events came. */
function actOf(event: string, timeMs: number): CardAct | undefined {
  if (event === 'GIFTCARDS_REDEEMED') return { what: 'redeemed', afterMs: timeMs }
  return event === 'GIFTCARDS_CANCELLED' ? { what: 'cancelled', afterMs: timeMs } : undefined
}
