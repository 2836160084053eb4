import { Failure } from '../../../base/failure/failure.ts'
import { cardEntries, changeEntries } from '../card.ts'
import { inCopies } from '../copies.ts'
import { type Entry, withOddity } from '../entry.ts'
import { operationEntries } from '../operations.ts'
import { readCard } from '../service.ts'
import { type Timeline, type TimelineSources, withDeliveries } from '../timeline.ts'
import { bareCode, textIn } from '../values.ts'

/** Builds the timeline of a gift card, by its number in upper case. Fails: as `timelineOfBooking`. */
export async function timelineOfCard(number: string, sources: TimelineSources): Promise<Timeline> {
  const { caller, store, service, nowMs } = sources
  const copied = await inCopies(sources, { ids: new Set([number]), kinds: ['card'] })
  const read = await readCard(caller, number)
  const operations = store.historyOf(service, number)
  const copies = copied.records.flatMap(({ asOfMs, ...one }) => (asOfMs === null ? [] : [{ ...one, asOfMs }]))
  const seen = [...copies, ...(read instanceof Failure ? [] : [{ record: read, where: null, asOfMs: nowMs }])]
  const entries: Entry[] = [
    ...seen.flatMap((one, at) => {
      const own = cardEntries(number, one, nowMs)
      // Only the last, which is the service's if it has the card, says when it was issued and expires.
      return at === seen.length - 1 ? own : own.filter(({ kind }) => kind === 'state')
    }),
    ...copied.changes.flatMap(({ changes, where }) => changeEntries(number, changes, where)),
    ...operationEntries(operations),
  ]
  const all = await withDeliveries(entries, sources, { subjects: new Set([number]), locationId: null })
  const status = read instanceof Failure ? null : textIn(read, 'status')
  return {
    entries: withComeback(pointOutAfterCancel(all), status),
    failure: read instanceof Failure ? read : null,
    searched: null,
    undated: copied.records.length - copies.length,
  }
}

/** Marks a card as odd if it was cancelled and no longer is. */
function withComeback(entries: readonly Entry[], status: string | null): readonly Entry[] {
  const wasCancelled = entries.some(({ act }) => act?.what === 'cancelled')
  if (!wasCancelled || status === null || bareCode(status) === 'cancelled') return entries
  return entries.map((entry) =>
    entry.kind === 'state' && entry.source === 'service'
      ? withOddity(entry, `it is ${status}, although it was cancelled`)
      : entry,
  )
}

/** Marks redemptions after a cancellation as odd. The entries must be sorted by time. */
export function pointOutAfterCancel(entries: readonly Entry[]): Entry[] {
  const cancel = entries.find(({ act }) => act?.what === 'cancelled')
  if (cancel === undefined) return [...entries]
  return entries.map((entry) => {
    if (entry.act?.what !== 'redeemed' || entry.act.afterMs < cancel.atMs) return entry
    // Events may overtake each other.
    const isByEvents = entry.kind === 'delivery' || cancel.kind === 'delivery'
    return withOddity(
      entry,
      `redeemed after it was cancelled${isByEvents ? ', by the order in which the events came' : ''}`,
    )
  })
}
