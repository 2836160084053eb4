import { numberText } from '../../base/json/exact.ts'
import { findCard, parseCents, readCard, redeemCard, toGiftCard } from '../records/giftcards.ts'
import { IS_LINKED_SQL } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { readFlag, readPageRange, readQueryInstant, toPage } from './query.ts'

export const GIFT_CARD_HANDLERS = {
  'giftcards.get': ({ store, parameters, now, refuse }) => {
    const card = findCard(store, parameters.cardNumber, now)
    if (!card) throw refuse('notFound', parameters)
    if (!store.isLinked(card.location)) throw refuse('notFoundAtVenue', parameters)
    return { status: 200, body: toGiftCard(card) }
  },

  'giftcards.redeem': ({ store, body, now, refuse, announce }) => {
    const { cardNumber, amount } = body
    if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
    const digits = numberText(amount)
    if (digits === null) throw refuse('requiredField', { field: 'amount' })
    const cents = parseCents(digits)
    if (cents === null) throw refuse('invalidAmount', { amount: digits, cardNumber })
    const card = findCard(store, cardNumber, now)
    if (!card || !store.isLinked(card.location)) throw refuse('notFound', { cardNumber })
    const verify = { email: body.issuedToEmail ?? null, notes: body.notes ?? null }
    const redemption = redeemCard(store, card, cents, now, verify)
    if (redemption.isSuccess) announce(cardNumber)
    return { status: 200, body: redemption }
  },

  'giftcards.cancel': ({ store, body: { cardNumber }, now, refuse, announce }) => {
    if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
    const card = findCard(store, cardNumber, now)
    if (!card || !store.isLinked(card.location)) throw refuse('notFound', { cardNumber })
    if (card.status === 'Redeemed') throw refuse('fullyRedeemed', { cardNumber })
    if (card.status === 'Cancelled') return { status: 304 }
    store.run("UPDATE gift_cards SET status = 'Cancelled' WHERE number = ?", cardNumber)
    announce(cardNumber)
    return { status: 200, body: { cardNumber, status: 'Cancelled' } }
  },

  /** GET /GiftCards. Sorts cards by issue date. Lists cancelled, redeemed and expired cards only if requested. */
  'giftcards.list': ({ store, query, now, refuse }) => {
    const range = readPageRange(query)
    const from = readQueryInstant(query, 'IssueDateUtcStart', () => refuse('invalidDate')) ?? 0
    const to = readQueryInstant(query, 'IssueDateUtcEnd', () => refuse('invalidDate')) ?? Number.MAX_SAFE_INTEGER
    const sku = query.get('Sku')
    const omitted = (['Cancelled', 'Redeemed', 'Expired'] as const).filter(
      (status) => !readFlag(query, `Include${status}`, false),
    )
    const rows = store.all(
      `SELECT *, ${STATUS_NOW} AS status_now FROM gift_cards
       WHERE ${IS_LINKED_SQL} AND issued BETWEEN ? AND ? AND (? IS NULL OR sku = ?)
         AND status_now NOT IN (SELECT value FROM json_each(?))
       ORDER BY issued, number LIMIT ? OFFSET ?`,
      ...[now, store.linkedLocations, from, to, sku, sku, JSON.stringify(omitted), range.limit, range.start],
    )
    const items = rows.map((row) => toGiftCard(readCard({ ...row, status: row['status_now'] })))
    return { status: 200, body: toPage(range, items) }
  },
} satisfies Partial<Handlers>

/**
 * The SQL expression for a card's current status. An active card counts as expired once its expiry has passed, even if
 * its row has not been updated yet.
 */
const STATUS_NOW = "CASE WHEN status = 'Active' AND expires <= ? THEN 'Expired' ELSE status END"
