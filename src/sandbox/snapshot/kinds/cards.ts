import { GIFT_CARD_FORMATS, GIFT_CARD_PAYMENT_TYPES, GIFT_CARD_STATUSES } from '../../../contract/giftcards.ts'
import { CARD_DEFAULTS } from '../../records/giftcards.ts'
import { membersLike, type RecordData } from '../form/members.ts'
import { documentText, instant, integer, nonEmptyText, oneOf, orNull, text } from '../form/values.ts'
import { instantColumn, plainColumn, tableKind } from './kind.ts'

const { paymentType: _paymentType, cardFormat: _cardFormat, ...TEXTS } = CARD_DEFAULTS

/** Gift cards, with the same members as in responses from the service, except that amounts are in cents. */
export const card = tableKind({
  name: 'card',
  table: 'gift_cards',
  rows: 'ORDER BY number',
  members: {
    card: { read: nonEmptyText, column: plainColumn('number') },
    locationId: { read: nonEmptyText, implied: (_card, { location }) => location, column: plainColumn('location') },
    status: { read: oneOf(GIFT_CARD_STATUSES), implied: () => 'Active', column: plainColumn('status') },
    amountCents: { read: integer(0), column: plainColumn('amount_cents') },
    remainingCents: {
      read: integer(0),
      implied: ({ status, amountCents }) => (status === 'Redeemed' ? 0 : amountCents),
      column: plainColumn('remaining_cents'),
    },
    issuedDate: { read: instant, column: instantColumn('issued') },
    expiryDate: { read: instant, column: instantColumn('expires') },
    paymentType: { read: oneOf(GIFT_CARD_PAYMENT_TYPES), implied: () => 'Online' },
    cardFormat: { read: oneOf(GIFT_CARD_FORMATS), implied: () => 'EGiftCard' },
    sku: { read: orNull(text), implied: ({ cardFormat }) => `SKU-${cardFormat}`, column: plainColumn('sku') },
    ...membersLike(Object.keys(TEXTS), { read: text, implied: () => '' }),
    document: {
      read: documentText,
      implied: (record) => JSON.stringify(toDocument(record)),
      column: plainColumn('document'),
    },
  },
  inDocument: toDocument,
  problem: ({ amountCents, remainingCents }) =>
    Number(remainingCents) <= Number(amountCents) ? null : '"remainingCents" is more than "amountCents"',
})

/** Creates the document to store for a gift card. Its members have the same order as those of a new card. */
function toDocument(record: RecordData): RecordData {
  return Object.fromEntries(Object.keys(CARD_DEFAULTS).map((name) => [name, record[name]]))
}

export const redemption = tableKind({
  name: 'redemption',
  table: 'redemptions',
  rows: 'ORDER BY rank',
  repeats: true,
  members: {
    redemption: { read: nonEmptyText, column: plainColumn('card') },
    cents: { read: integer(1), column: plainColumn('cents') },
    at: { read: instant, column: instantColumn('at') },
    notes: { read: orNull(text), implied: () => null, column: plainColumn('notes') },
  },
  problem: ({ redemption: number }, seen) =>
    seen.get('card')?.has(String(number)) ? null : `no earlier line contains the gift card ${JSON.stringify(number)}`,
})
