import { pointOutAfterCancel } from '../after-cancel.ts'
import { cardEntries, changeEntries } from '../card.ts'
import { type Entry, withOddity } from '../entry.ts'
import { operationEntries } from '../operations.ts'
import { readCard } from '../service/reads.ts'
import { inCopies, type Timeline, type TimelineSources, withDeliveries } from '../timeline.ts'
import { bareCode, textIn } from '../values.ts'

/** All that is known of a gift card, by its number in upper case. Fails: as `timelineOfBooking`. */
export async function timelineOfCard(number: string, sources: TimelineSources): Promise<Timeline> {
  const { caller, store, service, nowMs } = sources
  const copied = await inCopies(sources, new Set([number]), ['card'])
  const read = await readCard(caller, number)
  const operations = store.historyOf(service, number)
  const copies = copied.records.flatMap(({ asOfMs, ...one }) => (asOfMs === null ? [] : [{ ...one, asOfMs }]))
  const seen = [...copies, ...(read.record === null ? [] : [{ record: read.record, where: null, asOfMs: nowMs }])]
  const entries: Entry[] = [
    ...seen.flatMap((one, at) => {
      const own = cardEntries(number, one, nowMs)
      // When it was issued, and when it expires, is told once: by the service where it has the card.
      return at === seen.length - 1 ? own : own.filter(({ kind }) => kind === 'state')
    }),
    ...copied.changes.flatMap(({ changes, where }) => changeEntries(number, changes, where)),
    ...operationEntries(operations),
  ]
  const all = await withDeliveries(entries, sources, { subjects: new Set([number]), locationId: null })
  const status = read.record === null ? null : textIn(read.record, 'status')
  return {
    entries: withComeback(pointOutAfterCancel(all), status),
    failure: read.failure,
    searched: null,
    undated: copied.records.length - copies.length,
  }
}

/** Points out a card that was cancelled, and is not any more. */
function withComeback(entries: readonly Entry[], status: string | null): readonly Entry[] {
  const wasCancelled = entries.some(({ act }) => act?.what === 'cancelled')
  if (!wasCancelled || status === null || bareCode(status) === 'cancelled') return entries
  return entries.map((entry) =>
    entry.kind === 'state' && entry.source === 'service'
      ? withOddity(entry, `it is ${status}, although it was cancelled`)
      : entry,
  )
}
