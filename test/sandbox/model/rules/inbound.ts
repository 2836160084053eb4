import { isMissing, isNonNumber, malformed, type Rule, required, respond } from '../expected-response.ts'
import { atLeast, SOME_TEXT } from '../pattern.ts'
import type { Card, Model } from '../state.ts'
import { findBooking } from './booking.ts'
import { balanceOf, failed, readCents, redeemFrom } from './cards.ts'
import { defineRule, type Rules } from './rule.ts'
import { amountsOf, putSale } from './sales.ts'

/** Returns the card with this number, or `undefined` if the location ID is wrong or the venue has no such card. */
function cardAt({ venue, cards }: Model, cardNumber: string, locationId: string): Card | undefined {
  return locationId === venue.locationId ? cards.get(cardNumber) : undefined
}

/**
 * POST /partners/{partnerName}/giftcards/redeem. The specification says "200, read the body for the outcome". The
 * details of all inbound endpoints are assumptions.
 */
const inboundRedeem: Rule = ({ model, body, digits }) => {
  const { cardNumber, amount, locationId } = body
  if (isNonNumber(amount)) return malformed()
  if (isMissing(cardNumber)) return required('cardNumber')
  if (isMissing(amount)) return required('amount')
  if (isMissing(locationId)) return required('locationId')
  const card = cardAt(model, cardNumber, locationId)
  const cents = readCents(digits['amount'] ?? '')
  return respond(200, {
    ...(card && cents !== null ? redeemFrom(model, card, cents, null) : failed(cardNumber)),
    locationId,
  })
}

const inboundBalance: Rule = ({ model, body: { cardNumber, locationId } }) => {
  if (isMissing(cardNumber)) return required('cardNumber')
  if (isMissing(locationId)) return required('locationId')
  const card = cardAt(model, cardNumber, locationId)
  return respond(200, card ? balanceOf(card, locationId) : atLeast({ isSuccess: false, errorMessage: SOME_TEXT }))
}

/**
 * POST /Sales/partners/{partnerName}/events/{eventType}. The specification says "200 processed or ignored;
 * webhooks.test_notification answers 200 and does nothing; the same sale ID again updates the record".
 */
const inboundEvent: Rule = ({ model, parameters: { eventType = '' }, body }) => {
  const saleId = eventType === 'webhooks.test_notification' ? null : (body.origin?.saleId ?? body.saleId ?? null)
  if (saleId === null) return respond(200, atLeast({}))
  const booking = body.bookingId ? findBooking(model, body.bookingId) : undefined
  putSale(model, saleId, { received: model.now, closed: model.now, bookingId: booking?.id ?? null, ...amountsOf(body) })
  return respond(200, atLeast({}))
}

export const INBOUND = {
  'inbound.redeem': defineRule('POST /partners/{partnerName}/giftcards/redeem', inboundRedeem),
  'inbound.balance': defineRule('POST /partners/{partnerName}/giftcards/balance', inboundBalance),
  'inbound.event': defineRule('POST /Sales/partners/{partnerName}/events/{eventType}', inboundEvent),
} satisfies Partial<Rules>
