import { isJsonObject, type JsonObject, numberText } from '../../base/json/exact.ts'
import { findVenueBooking } from '../records/bookings.ts'
import { type Card, findCard, parseCents, redeemCard, toGiftCard } from '../records/giftcards.ts'
import { putSale, sumSale } from '../records/sales.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

export const INBOUND_HANDLERS = {
  /**
   * POST /partners/{partnerName}/giftcards/redeem. Responds with 200 even if the redemption fails; the body reports the
   * failure.
   */
  'inbound.redeem': ({ store, body, now, refuse, announce }) => {
    const { cardNumber, locationId } = body
    if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
    const digits = numberText(body.amount)
    if (digits === null) throw refuse('requiredField', { field: 'amount' })
    if (!locationId) throw refuse('requiredField', { field: 'locationId' })
    const failed = (errorMessage: string) => ({
      status: 200 as const,
      body: { cardNumber, locationId, amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage },
    })
    const card = findCardAt(store, cardNumber, locationId, now)
    if (typeof card === 'string') return failed(card)
    const cents = parseCents(digits)
    if (cents === null) return failed(`Invalid redeem amount '${digits}' for card '${cardNumber}'.`)
    const redemption = redeemCard(store, card, cents, now, { email: null, notes: null })
    if (redemption.isSuccess) announce(cardNumber)
    return { status: 200, body: { ...redemption, locationId } }
  },

  'inbound.balance': ({ store, body, now, refuse }) => {
    const { cardNumber, locationId } = body
    if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
    if (!locationId) throw refuse('requiredField', { field: 'locationId' })
    const card = findCardAt(store, cardNumber, locationId, now)
    if (typeof card === 'string')
      return { status: 200, body: { cardNumber, locationId, isSuccess: false, errorMessage: card } }
    const { amount, remainingAmount, status, expiryDate } = toGiftCard(card)
    const balance = { amount, remainingAmount, status, expiryDate }
    return { status: 200, body: { cardNumber, locationId, ...balance, isSuccess: true, errorMessage: '' } }
  },

  /**
   * POST /Sales/partners/{partnerName}/events/{eventType}. Stores the payload as the sale whose ID it contains. Ignores
   * test notifications and payloads without a sale ID.
   */
  'inbound.event': ({ store, parameters, body, now }) => {
    const { eventType } = parameters
    const sent: JsonObject = isJsonObject(body) ? body : {}
    const saleId = eventType === 'webhooks.test_notification' ? null : readSaleId(sent)
    if (saleId === null) return { status: 200, body: { eventType, outcome: 'ignored' } }
    const named = typeof sent['bookingId'] === 'string' ? sent['bookingId'] : ''
    const bookingId = (named === '' ? null : findVenueBooking(store, named)?.document.bookingId) ?? null
    const sale = { ...sent, origin: { saleId } }
    putSale(store, { saleId, received: now, closed: now, bookingId, cents: sumSale(sent), sent: sale })
    return { status: 200, body: { eventType, outcome: 'processed', saleId } }
  },
} satisfies Partial<Handlers>

/** Returns the location's card with this number, or the error message if the location has no such card. */
function findCardAt(store: Store, cardNumber: string, locationId: string, now: number): Card | string {
  if (!store.isLinked(locationId)) return `Location '${locationId}' is not linked to this partner.`
  const card = findCard(store, cardNumber, now)
  return card?.location === locationId ? card : `Gift card '${cardNumber}' not found.`
}

function readSaleId(sent: JsonObject): string | null {
  const origin = sent['origin']
  const found = [isJsonObject(origin) ? origin['saleId'] : null, sent['saleId'], sent['transactionId']]
  return found.find((id): id is string => typeof id === 'string' && id !== '') ?? null
}
