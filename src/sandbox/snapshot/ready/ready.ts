import { storeDiary } from '../../seed/diary-state.ts'
import { asDiary } from '../../store/diary.ts'
import { Store } from '../../store/store.ts'
import { dayOf } from '../../venue/time.ts'
import { DEFAULT_VENUE } from '../../venue/venue.ts'
import { writeSnapshot } from '../write.ts'
import { busyFriday } from './busy-friday.ts'
import { dstNight } from './dst-night.ts'
import { everyCard } from './every-card.ts'
import { monthEnd } from './month-end.ts'
import { otherZoneAndCurrency, twoVenues } from './other-venues.ts'
import { type ReadySnapshot, Scene } from './scene.ts'

const empty: ReadySnapshot = {
  name: 'empty',
  about: 'an open venue without bookings, customers, cards or sales',
  clock: '2026-12-01T00:00:00.000Z',
  fill: () => undefined,
}

/** The ready-made snapshots, in the order that `snapshot list` shows them. */
export const READY_SNAPSHOTS: readonly ReadySnapshot[] = [
  empty,
  busyFriday,
  monthEnd,
  dstNight,
  everyCard,
  otherZoneAndCurrency,
  twoVenues,
]

/** Returns the text of a ready-made snapshot. It is the same on every machine and on every day. */
export function writeReadySnapshot({ clock, venues = [DEFAULT_VENUE], fill }: ReadySnapshot): string {
  const store = Store.open(':memory:')
  try {
    const now = Date.parse(clock)
    store.transaction(() => {
      store.createTables()
      store.writeVenues(venues)
      storeDiary(store, { seed: 0, days: [], given: true, toppedUp: dayOf(store.zone.toLocal(now)) })
      fill(new Scene(asDiary(store), now))
    })
    return writeSnapshot(asDiary(store), { now: () => now, frozen: false, shifted: true })
  } finally {
    store.close()
  }
}
