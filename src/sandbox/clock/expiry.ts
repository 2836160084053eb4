import { queueEvent } from '../deliveries/queue.ts'
import type { Store } from '../store/store.ts'
import { VENUE } from '../venue/venue.ts'

const DUE = "FROM gift_cards WHERE status = 'Active' AND expires <= ?"

/** Expires the active cards that are past their date, and queues an event for each card of the venue. */
export function expireCards(store: Store, now: number): void {
  if (!store.get(`SELECT 1 ${DUE} LIMIT 1`, now)) return
  store.transaction(() => {
    for (const { number, location } of store.all(`SELECT number, location ${DUE}`, now)) {
      store.run("UPDATE gift_cards SET status = 'Expired' WHERE number = ?", String(number))
      if (location === VENUE.id) queueEvent(store, 'GIFTCARDS_UPDATED', String(number), now)
    }
  })
}
