import type { Failure } from '../../base/failure/failure.ts'
import type { TimeRange } from '../../base/time/window.ts'
import type { Caller } from '../../client/calls/caller.ts'
import type { OperationStore } from '../../money/operations/store.ts'
import type { InDatabase, Sought } from './copies/database.ts'
import type { FoundRecord, SoughtIds } from './copies/found.ts'
import { readCopies } from './copies/read-copies.ts'
import { deliveryEntries, type Journal, type Wanted } from './deliveries.ts'
import { type Entry, inOrder } from './entry.ts'

/** Where a timeline looks, beside the service. */
export interface TimelineSources {
  readonly caller: Caller
  /** The service, as operations name it. */
  readonly service: string
  readonly store: OperationStore
  readonly journals: readonly Journal[]
  /** The names of the copies, and whose records are meant in a database. */
  readonly copies: readonly string[]
  readonly place: Sought['place']
  /** When sales are searched; null: as it follows from what is known. */
  readonly salesRange: TimeRange | null
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** The venue's zone; null: times on its clock are taken for UTC. */
  readonly timezone: string | null
}

/** All that is known of a booking, gift card or sale. */
export interface Timeline {
  readonly entries: readonly Entry[]
  /** Why the service did not say all that it should; null: it did. */
  readonly failure: Failure | null
  /** When the sales that were searched were closed; null: none were searched. */
  readonly searched: TimeRange | null
  /** How many records are left out, as they have no date. */
  readonly undated: number
}

/** Reads what copies have of some IDs. Fails: as `readCopies`. */
export function inCopies(
  { copies, place }: TimelineSources,
  ids: SoughtIds,
  kinds: readonly FoundRecord['kind'][],
  isOptional = false,
): Promise<InDatabase> {
  return readCopies(copies, { ids, kinds, place, isOptional })
}

/** Adds what journals have, and puts all in order. Fails: as a journal does. */
export async function withDeliveries(
  entries: readonly Entry[],
  { journals }: TimelineSources,
  wanted: Wanted,
): Promise<Entry[]> {
  const all = [...entries]
  for (const journal of journals) all.push(...(await deliveryEntries(journal, wanted)))
  return inOrder(all)
}
