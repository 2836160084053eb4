import {
  assumedRejection,
  type Call,
  type ExpectedResponse,
  isMissing,
  isNonNumber,
  malformed,
  type Rule,
  reject,
  required,
  respond,
} from '../expected-response.ts'
import { SOME_TEXT } from '../pattern.ts'
import { type Card, iso, type Model } from '../state.ts'
import { announce } from './events.ts'
import { readPage, toPage } from './pages.ts'
import { defineRule, type Rules } from './rule.ts'

/** The number of another venue's gift card, to which the specification's second form of 404 applies. */
export const OTHER_VENUE_CARD = 'OTHER-00000000-VVVV'

/** Returns the Gift card object. Source: "Gift card". */
export function giftCard(card: Card): Record<string, unknown> {
  return { ...card.lasting, status: card.status, remainingAmount: card.remainingCents / 100 }
}

/**
 * GET /GiftCards/{cardNumber}: "404 (card not found for this venue, in one of two message forms)". The exact messages
 * are assumed.
 */
const getCard: Rule = ({ model, parameters: { cardNumber = '' } }) => {
  if (cardNumber === OTHER_VENUE_CARD)
    return assumedRejection(404, `No gift card with number '${cardNumber}' exists for this venue.`)
  const card = model.cards.get(cardNumber)
  return card ? respond(200, giftCard(card)) : notFound(cardNumber)
}

const notFound = (cardNumber: string) => assumedRejection(404, `Gift card '${cardNumber}' not found.`)

const redeem: Rule = (call) => {
  const { model, body, digits } = call
  if (isNonNumber(body.amount)) return malformed()
  if (isMissing(body.cardNumber)) return required('cardNumber')
  if (isMissing(body.amount)) return required('amount')
  const cents = readCents(digits['amount'] ?? '')
  // "An amount of 0 or a negative amount gives 400 with a message stating the invalid redeem amount for the card."
  // Assumed: the exact message; less than a cent is also invalid; the amount is checked before the card.
  if (cents === null) return reject(400, `Invalid redeem amount '${digits['amount']}' for card '${body.cardNumber}'.`)
  const card = model.cards.get(body.cardNumber)
  if (!card) return notFound(body.cardNumber)
  return respond(200, redeemFrom(model, card, cents, body.issuedToEmail ?? null))
}

/** Redeems money from a card, and returns the response. Source: "Gift card status", "POST /GiftCards/redeem". */
export function redeemFrom(model: Model, card: Card, cents: number, email: string | null): Record<string, unknown> {
  // | Redeemed | POST /GiftCards/redeem | card already redeemed | unchanged | 200 with isSuccess false and an error
  // message |
  // Assumed: the same applies to all other states that are not Active.
  if (card.status !== 'Active') return failed(card.number)
  // "issuedToEmail: used for verification". Assumed: the redemption fails if it is not the holder's address.
  if (email && card.email && email.toLowerCase() !== card.email.toLowerCase()) return failed(card.number)
  // Assumed: redeeming more than the balance fails.
  if (cents > card.remainingCents) return failed(card.number)
  // | Active | POST /GiftCards/redeem | amount is below the remaining balance | Active | remaining balance reduced |
  card.remainingCents -= cents
  if (card.remainingCents === 0) card.status = 'Redeemed'
  announce(model, 'GIFTCARDS_REDEEMED', card.number)
  const { number: cardNumber, status } = card
  return { cardNumber, amountRedeemed: cents / 100, status, isSuccess: true, errorMessage: '' }
}

/** Returns the response to a failed redemption. "A failure returns amountRedeemed 0 and status Error". */
export function failed(cardNumber: string): Record<string, unknown> {
  return { cardNumber, amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage: SOME_TEXT }
}

/** Converts currency units to cents. Returns `null` if the amount is not positive, or not a whole number of cents. */
export function readCents(digits: string): number | null {
  const cents = Number(digits) * 100
  const whole = Math.round(cents)
  return whole > 0 && Math.abs(cents - whole) < 1e-6 ? whole : null
}

const cancel: Rule = ({ model, body }) => {
  if (isMissing(body.cardNumber)) return required('cardNumber')
  const card = model.cards.get(body.cardNumber)
  if (!card) return notFound(body.cardNumber)
  // | Redeemed (fully redeemed) | PATCH /GiftCards/cancel | always | unchanged | response 400, cannot be cancelled |
  if (card.status === 'Redeemed')
    return assumedRejection(400, `Gift card '${card.number}' is fully redeemed and cannot be cancelled.`)
  // | Cancelled | PATCH /GiftCards/cancel | card already cancelled | Cancelled (unchanged) | response 304 |
  if (card.status === 'Cancelled') return respond(304)
  // | not fully redeemed | PATCH /GiftCards/cancel | card not already cancelled | Cancelled | response 200 |
  card.status = 'Cancelled'
  announce(model, 'GIFTCARDS_CANCELLED', card.number)
  return respond(200, { cardNumber: card.number, status: 'Cancelled' })
}

/** GET /GiftCards. Source: "Other endpoints". Assumed: the filters, the order and the paging. */
const listCards: Rule = (call): ExpectedResponse => {
  const { model, query } = call
  const page = readPage(query)
  if (page === null) return malformed()
  const from = readDate(call, 'IssueDateUtcStart', 0)
  const to = readDate(call, 'IssueDateUtcEnd', Number.MAX_SAFE_INTEGER)
  if (from === null || to === null) return assumedRejection(400, 'Invalid Date passed.')
  const omitted = ['Cancelled', 'Redeemed', 'Expired'].filter((status) => query.get(`Include${status}`) !== 'true')
  const items = [...model.cards.values()]
    .filter(({ status, issued }) => !omitted.includes(status) && issued >= from && issued <= to)
    .sort((a, b) => a.issued - b.issued || (a.number < b.number ? -1 : 1))
  // No response shows the SKU of a card. No card has the drawn one.
  return respond(200, toPage(page, query.has('Sku') ? [] : items.map(giftCard)))
}

/** Reads a time from the query, `yyyy-MM-ddTHH:mm:ss.fffZ`. Returns `null` if it is invalid. */
export function readDate<Fallback>({ query }: Pick<Call, 'query'>, name: string, fallback: Fallback) {
  const text = query.get(name)
  if (!text) return fallback
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/**
 * Expires active cards past their expiry. Assumed, as "Other gift card transitions: not shown". Moving the clock back
 * does not undo it.
 */
export function expireCards(model: Model): void {
  for (const card of model.cards.values())
    if (card.status === 'Active' && card.expires <= model.now) {
      card.status = 'Expired'
      announce(model, 'GIFTCARDS_UPDATED', card.number)
    }
}

/** Returns the response to a balance request. */
export function balanceOf(card: Card, locationId: string): Record<string, unknown> {
  return {
    cardNumber: card.number,
    locationId,
    amount: card.lasting['amount'],
    remainingAmount: card.remainingCents / 100,
    status: card.status,
    expiryDate: iso(card.expires),
    isSuccess: true,
    errorMessage: '',
  }
}

export const CARDS = {
  'giftcards.redeem': defineRule('POST /GiftCards/redeem', redeem),
  'giftcards.cancel': defineRule('PATCH /GiftCards/cancel', cancel),
  'giftcards.get': defineRule('GET /GiftCards/{cardNumber}', getCard),
  'giftcards.list': defineRule('GET /GiftCards', listCards),
} satisfies Partial<Rules>
