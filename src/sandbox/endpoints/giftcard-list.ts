import type { listGiftCards } from '../../contract/giftcards.ts'
import { cardObject, cardOf } from '../records/giftcards.ts'
import { VENUE } from '../venue/venue.ts'
import type { Handler } from './handler.ts'
import { pageObject, readPageRange, readQueryInstant } from './paging.ts'
import { readFlag } from './query.ts'

/** An active card that is past its date counts as expired, even when its row does not say so yet. */
const STATUS_NOW = "CASE WHEN status = 'Active' AND expires <= ? THEN 'Expired' ELSE status END"

/** GET /GiftCards, by date of issue. Cancelled, redeemed and expired cards are listed only when asked for. */
export const listGiftCardsHandler: Handler<typeof listGiftCards> = ({ store, query, now, refuse }) => {
  const range = readPageRange(query)
  const from = readQueryInstant(query, 'IssueDateUtcStart', () => refuse('invalidDate')) ?? 0
  const to = readQueryInstant(query, 'IssueDateUtcEnd', () => refuse('invalidDate')) ?? Number.MAX_SAFE_INTEGER
  const sku = query.get('Sku')
  const left = (['Cancelled', 'Redeemed', 'Expired'] as const).filter(
    (status) => !readFlag(query, `Include${status}`, false),
  )
  const rows = store.all(
    `SELECT *, ${STATUS_NOW} AS status_now FROM gift_cards
     WHERE location = ? AND issued BETWEEN ? AND ? AND (? IS NULL OR sku = ?)
       AND status_now NOT IN (SELECT value FROM json_each(?))
     ORDER BY issued, number LIMIT ? OFFSET ?`,
    now,
    VENUE.id,
    from,
    to,
    sku,
    sku,
    JSON.stringify(left),
    range.limit,
    range.start,
  )
  const items = rows.map((row) => cardObject(cardOf({ ...row, status: row['status_now'] })))
  return { status: 200, body: pageObject(range, items) }
}
