import fc from 'fast-check'
import { OTHER_VENUE_CARD } from '../rules/cards.ts'
import { type Card, iso, type Model } from '../state.ts'
import { makePlan, maybe, nth, type RequestMaker, weighted, withoutUndefined } from './act.ts'

/** The index of a gift card, or the number of a card that the venue does not have. */
const CARD = weighted([12, fc.nat(11)], [1, fc.constantFrom(OTHER_VENUE_CARD, 'AAAAA-00000000-ZZZZ')])
type CardDrawn = number | string

function cardOf(model: Model, drawn: CardDrawn): Card | string {
  return typeof drawn === 'string' ? drawn : (nth([...model.cards.values()], drawn) ?? '')
}

const numberOf = (card: Card | string) => (typeof card === 'string' ? card : card.number)

const AMOUNT = weighted(
  [6, fc.constantFrom('all', 'half', 'cent', 'aLittleMore')],
  [3, fc.constantFrom('0', '-1', '-0.01', '0.001', '10.00', '1e1', '0.10', '7', '1e9')],
  [1, fc.constantFrom('null', '""', '"5"', '{}')],
)

function digitsOf(card: Card | string, drawn: string): unknown {
  const left = typeof card === 'string' ? 1000 : card.remainingCents
  if (drawn === 'all') return units(left)
  if (drawn === 'half') return units(Math.ceil(left / 2))
  if (drawn === 'cent') return units(1)
  if (drawn === 'aLittleMore') return units(left + 1)
  return /^[-\d]/.test(drawn) ? JSON.rawJSON(drawn) : JSON.parse(drawn)
}

const units = (cents: number) => JSON.rawJSON((cents / 100).toFixed(2))

const REDEEM = fc.record({ card: CARD, amount: AMOUNT, email: maybe(fc.constantFrom('holder', 'HOLDER', 'somebody')) })

const redeem: RequestMaker<{ card: CardDrawn; amount: string; email: string | undefined }> = (drawn, model) => {
  const card = cardOf(model, drawn.card)
  const holder = typeof card === 'string' ? '' : card.email
  const email = { holder, HOLDER: holder.toUpperCase(), somebody: 'somebody@example.com' }[drawn.email ?? '']
  const amount = digitsOf(card, drawn.amount)
  return {
    endpoint: 'giftcards.redeem',
    body: withoutUndefined({ cardNumber: numberOf(card), amount, issuedToEmail: email, notes: 'table 4' }),
  }
}

const inboundRedeem: RequestMaker<{ card: CardDrawn; amount: string; here: boolean }> = (drawn, model) => {
  const card = cardOf(model, drawn.card)
  const locationId = drawn.here ? model.venue.locationId : 'elsewhere'
  const body = { cardNumber: numberOf(card), amount: digitsOf(card, drawn.amount), locationId }
  return { endpoint: 'inbound.redeem', body }
}

/** Offsets in milliseconds for the moments just before, at and just after a change. */
export const AROUND = fc.constantFrom(-1, 0, 1)

const LIST = fc.record({
  IncludeCancelled: maybe(fc.constantFrom('true', 'false')),
  IncludeRedeemed: maybe(fc.constantFrom('true', 'false')),
  IncludeExpired: maybe(fc.constantFrom('true', 'false')),
  Limit: maybe(fc.constantFrom('1', '3', '1000', '0', 'x')),
  StartIndex: maybe(fc.constantFrom('0', '2', '50')),
  Sku: weighted([9, fc.constant(undefined)], [1, fc.constant('SKU-NONE')]),
  from: maybe(fc.record({ card: fc.nat(11), by: AROUND })),
  to: maybe(fc.record({ card: fc.nat(11), by: AROUND })),
  soon: weighted([9, fc.constant(undefined)], [1, fc.constant('soon')]),
})

export const CARD_PLANS = {
  redeem: makePlan('redeem', REDEEM, redeem),
  cancel: makePlan('cancel', CARD, (card, model) => ({
    endpoint: 'giftcards.cancel',
    body: { cardNumber: numberOf(cardOf(model, card)) },
  })),
  get: makePlan('get card', CARD, (card, model) => ({
    endpoint: 'giftcards.get',
    parameters: { cardNumber: numberOf(cardOf(model, card)) },
  })),
  list: makePlan('list cards', LIST, ({ from, to, soon, ...query }, model) => {
    const issued = (end: typeof from) => end && iso((nth([...model.cards.values()], end.card)?.issued ?? 0) + end.by)
    const dates = { IssueDateUtcStart: soon ?? issued(from), IssueDateUtcEnd: issued(to) }
    return { endpoint: 'giftcards.list', query: withoutUndefined({ ...query, ...dates }) }
  }),
  inboundRedeem: makePlan('inbound redeem', fc.record({ card: CARD, amount: AMOUNT, here: mostly() }), inboundRedeem),
  inboundBalance: makePlan('inbound balance', fc.record({ card: CARD, here: mostly() }), ({ card, here }, model) => ({
    endpoint: 'inbound.balance',
    body: { cardNumber: numberOf(cardOf(model, card)), locationId: here ? model.venue.locationId : 'elsewhere' },
  })),
}

function mostly(): fc.Arbitrary<boolean> {
  return weighted([9, fc.constant(true)], [1, fc.constant(false)])
}
