import { type Entry, withOddity } from './entry.ts'

/** Entries in order of time, in which it is pointed out that a card was redeemed after it was cancelled. */
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
