import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { readJournal, type StoredDelivery } from '../events/journal/read-journal.ts'
import { type InboxPlace, isDatabase, parseInboxPlace } from '../inbox/open-inbox.ts'

/**
 * Reads stored deliveries. `journal` is a file name or an inbox URL. Throws USAGE or the same errors as
 * `Connection.open`.
 */
export function storedDeliveries(
  journal: string,
  { env, signal }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): AsyncIterable<readonly StoredDelivery[]> {
  if (!isDatabase(journal)) return readJournal(journal)
  return inboxDeliveries(parseInboxPlace(journal, env, '--journal'), signal)
}

async function* inboxDeliveries(place: InboxPlace, signal: AbortSignal): AsyncGenerator<readonly StoredDelivery[]> {
  const { readInbox } = await import('../inbox/read-inbox.ts')
  try {
    for await (const batch of readInbox(place, signal))
      yield batch.flatMap(({ id, timeMs, headers, body, verdict, repeats }) => {
        // Repeats are stored in the first delivery's row. Yield them as separate deliveries.
        const again = repeats.map((repeat) => ({ ...repeat, verdict: 'duplicate' as const }))
        return [{ timeMs, headers, verdict }, ...again].map((delivery) => ({ ...delivery, body, line: Number(id) }))
      })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
    throw usageFailure([`--journal: ${error.words}`], error.hint)
  }
}
