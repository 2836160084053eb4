import { GIFT_CARD_FORMATS, GIFT_CARD_PAYMENT_TYPES, GIFT_CARD_STATUSES } from '../../../contract/giftcards.ts'
import { CARD_DEFAULTS } from '../../records/giftcards.ts'
import { alike, type Whole } from '../form/members.ts'
import { documentText, id, instant, oneOf, orNull, text, whole } from '../form/values.ts'
import { inMs, plain, rowsOf } from './kind.ts'

const { paymentType: _paymentType, cardFormat: _cardFormat, ...TEXTS } = CARD_DEFAULTS

/** Gift cards, with the same members as in the service's responses, except that money is in cents. */
export const card = rowsOf({
  name: 'card',
  table: 'gift_cards',
  rows: 'ORDER BY number',
  members: {
    card: { read: id, column: plain('number') },
    locationId: { read: id, implied: (_card, { location }) => location, column: plain('location') },
    status: { read: oneOf(GIFT_CARD_STATUSES), implied: () => 'Active', column: plain('status') },
    amountCents: { read: whole(0), column: plain('amount_cents') },
    remainingCents: {
      read: whole(0),
      implied: ({ status, amountCents }) => (status === 'Redeemed' ? 0 : amountCents),
      column: plain('remaining_cents'),
    },
    issuedDate: { read: instant, column: inMs('issued') },
    expiryDate: { read: instant, column: inMs('expires') },
    paymentType: { read: oneOf(GIFT_CARD_PAYMENT_TYPES), implied: () => 'Online' },
    cardFormat: { read: oneOf(GIFT_CARD_FORMATS), implied: () => 'EGiftCard' },
    sku: { read: orNull(text), implied: ({ cardFormat }) => `SKU-${cardFormat}`, column: plain('sku') },
    ...alike(Object.keys(TEXTS), { read: text, implied: () => '' }),
    document: {
      read: documentText,
      implied: (record) => JSON.stringify(lastingMembers(record)),
      column: plain('document'),
    },
  },
  inDocument: lastingMembers,
  problem: ({ amountCents, remainingCents }) =>
    Number(remainingCents) <= Number(amountCents) ? null : '"remainingCents" is more than "amountCents"',
})

/** Returns a gift card's document as the store has it, with the same order of members. */
function lastingMembers(record: Whole): Whole {
  return Object.fromEntries(Object.keys(CARD_DEFAULTS).map((name) => [name, record[name]]))
}

export const redemption = rowsOf({
  name: 'redemption',
  table: 'redemptions',
  rows: 'ORDER BY rank',
  repeats: true,
  members: {
    redemption: { read: id, column: plain('card') },
    cents: { read: whole(1), column: plain('cents') },
    at: { read: instant, column: inMs('at') },
    notes: { read: orNull(text), implied: () => null, column: plain('notes') },
  },
  problem: ({ redemption: number }, seen) =>
    seen.get('card')?.has(String(number)) ? null : `no earlier line has the card ${JSON.stringify(number)}`,
})
