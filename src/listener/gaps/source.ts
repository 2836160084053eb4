import type { Delivery } from '../../events/journal/entry.ts'
import { readJournal } from '../../events/journal/read-journal.ts'
import { usageFailure } from '../../failure/failure.ts'

/** A delivery as it was kept, and where. */
export type KeptDelivery = Pick<Delivery, 'timeMs' | 'headers' | 'body'> & { readonly line: number }

/**
 * The deliveries that a listener kept, in batches. `journal`: the path of the file that it wrote.
 * Fails: USAGE when it cannot be read, as `readJournal`.
 */
export function keptDeliveries(journal: string): AsyncIterable<readonly KeptDelivery[]> {
  if (/^postgres(?:ql)?:\/\//.test(journal))
    throw usageFailure(
      ['--journal must name a file: deliveries in PostgreSQL cannot be compared'],
      'name the journal that partner webhooks listen writes',
    )
  return readJournal(journal)
}
