import { Clock } from '../clock/clock.ts'
import { listUnlinkedSales } from '../records/sales.ts'
import { keepDiary } from '../seed/diary-state.ts'
import type { Store } from '../store/store.ts'
import { dayOf } from '../venue/time.ts'
import type { Snapshot } from './read.ts'

/** Fills empty tables with a snapshot's venue, whose time runs on. Call it in the transaction that empties them. */
export function fillFrom(store: Store, { header, records }: Pick<Snapshot, 'header' | 'records'>): void {
  store.keepVenues(header.venues)
  for (const { kind, record } of records()) kind.insert(store, record)
  const now = Date.parse(header.clock)
  const toppedUp = dayOf(store.zone.toLocal(now))
  const { diary } = header
  keepDiary(store, diary === 'given' ? { seed: 0, days: [], given: true, toppedUp } : { ...diary, toppedUp })
  if (header.listsUnlinkedSales) listUnlinkedSales(store)
  new Clock(store).set(now, header.frozen)
}
