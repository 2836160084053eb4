import { queueEvent } from '../deliveries/queue.ts'
import type { Store } from '../store/store.ts'

const DUE = "FROM gift_cards WHERE status = 'Active' AND expires <= ?"

/** Expires the active cards whose time is over, and tells the venue's subscriber of each. */
export function expireCards(store: Store, now: number): void {
  if (!store.get(`SELECT 1 ${DUE} LIMIT 1`, now)) return
  store.transaction(() => {
    for (const { number, location } of store.all(`SELECT number, location ${DUE}`, now)) {
      store.run("UPDATE gift_cards SET status = 'Expired' WHERE number = ?", String(number))
      if (store.isLinked(String(location))) queueEvent(store, 'GIFTCARDS_UPDATED', String(number), now)
    }
  })
}
