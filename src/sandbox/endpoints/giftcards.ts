import type { cancelGiftCard, getGiftCard, redeemGiftCard } from '../../contract/giftcards.ts'
import { numberText } from '../../json/exact.ts'
import { cardObject, centsOf, findCard, takeFrom } from '../records/giftcards.ts'
import { VENUE } from '../venue/venue.ts'
import type { Handler } from './handler.ts'

/** GET /GiftCards/{cardNumber} */
export const getGiftCardHandler: Handler<typeof getGiftCard> = ({ store, parameters, now, refuse }) => {
  const card = findCard(store, parameters.cardNumber, now)
  if (!card) throw refuse('notFound', parameters)
  if (card.location !== VENUE.id) throw refuse('notFoundAtVenue', parameters)
  return { status: 200, body: cardObject(card) }
}

/** POST /GiftCards/redeem */
export const redeemHandler: Handler<typeof redeemGiftCard> = ({ store, body, now, refuse, announce }) => {
  const { cardNumber, amount } = body
  if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
  const digits = numberText(amount)
  if (digits === null) throw refuse('requiredField', { field: 'amount' })
  const cents = centsOf(digits)
  if (cents === null) throw refuse('invalidAmount', { amount: digits, cardNumber })
  const card = findCard(store, cardNumber, now)
  if (card?.location !== VENUE.id) throw refuse('notFound', { cardNumber })
  const verify = { email: body.issuedToEmail ?? null, notes: body.notes ?? null }
  const redemption = takeFrom(store, card, cents, now, verify)
  if (redemption.isSuccess) announce(cardNumber)
  return { status: 200, body: redemption }
}

/** PATCH /GiftCards/cancel */
export const cancelHandler: Handler<typeof cancelGiftCard> = ({
  store,
  body: { cardNumber },
  now,
  refuse,
  announce,
}) => {
  if (!cardNumber) throw refuse('requiredField', { field: 'cardNumber' })
  const card = findCard(store, cardNumber, now)
  if (card?.location !== VENUE.id) throw refuse('notFound', { cardNumber })
  if (card.status === 'Redeemed') throw refuse('fullyRedeemed', { cardNumber })
  if (card.status === 'Cancelled') return { status: 304 }
  store.run("UPDATE gift_cards SET status = 'Cancelled' WHERE number = ?", cardNumber)
  announce(cardNumber)
  return { status: 200, body: { cardNumber, status: 'Cancelled' } }
}
