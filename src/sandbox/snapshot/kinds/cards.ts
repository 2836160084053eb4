import { parseExact } from '../../../base/json/exact.ts'
import { GIFT_CARD_FORMATS, GIFT_CARD_PAYMENT_TYPES, GIFT_CARD_STATUSES } from '../../../contract/giftcards.ts'
import type { CardDocument } from '../../records/giftcards.ts'
import type { Whole } from '../form/members.ts'
import { documentText, id, instant, oneOf, orNull, text, whole } from '../form/values.ts'
import { documentOf, isoOf, type Kind, msOf } from './kind.ts'

const TEXTS = [
  'experienceCardName',
  'experienceCardDetails',
  'purchaserFirstName',
  'purchaserLastName',
  'purchaserEmail',
  'recipientFirstName',
  'recipientLastName',
  'recipientEmail',
] as const

/** A gift card, by the members that the service answers with; its money in cents. */
export const card: Kind = {
  name: 'card',
  select: 'SELECT * FROM gift_cards ORDER BY number',
  members: [
    { name: 'card', read: id },
    { name: 'locationId', read: id, implied: (_card, { location }) => location },
    { name: 'status', read: oneOf(GIFT_CARD_STATUSES), implied: () => 'Active' },
    { name: 'amountCents', read: whole(0) },
    {
      name: 'remainingCents',
      read: whole(0),
      implied: ({ status, amountCents }) => (status === 'Redeemed' ? 0 : amountCents),
    },
    { name: 'issuedDate', read: instant },
    { name: 'expiryDate', read: instant },
    { name: 'paymentType', read: oneOf(GIFT_CARD_PAYMENT_TYPES), implied: () => 'Online' },
    { name: 'cardFormat', read: oneOf(GIFT_CARD_FORMATS), implied: () => 'EGiftCard' },
    { name: 'sku', read: orNull(text), implied: ({ cardFormat }) => `SKU-${cardFormat}` },
    ...TEXTS.map((name) => ({ name, read: text, implied: () => '' })),
    { name: 'document', read: documentText, implied: (record) => JSON.stringify(toDocument(record)) },
  ],
  toRecord: (row) => ({
    ...(parseExact(documentOf(row)) as unknown as CardDocument),
    card: row['number'],
    locationId: row['location'],
    status: row['status'],
    amountCents: row['amount_cents'],
    remainingCents: row['remaining_cents'],
    issuedDate: isoOf(row, 'issued'),
    expiryDate: isoOf(row, 'expires'),
    sku: row['sku'],
    document: documentOf(row),
  }),
  insert: (store, record) => {
    store.run(
      `INSERT INTO gift_cards (number, location, status, amount_cents, remaining_cents, issued, expires, sku, document)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      String(record['card']),
      String(record['locationId']),
      String(record['status']),
      Number(record['amountCents']),
      Number(record['remainingCents']),
      msOf(record, 'issuedDate'),
      msOf(record, 'expiryDate'),
      record['sku'] as string | null,
      String(record['document']),
    )
  },
  problem: ({ amountCents, remainingCents }) =>
    Number(remainingCents) <= Number(amountCents) ? null : '"remainingCents" is more than "amountCents"',
}

/** The document as the service keeps it, its members in their order. */
function toDocument(record: Whole): Whole {
  const members = ['paymentType', 'cardFormat', ...TEXTS]
  return Object.fromEntries(members.map((name) => [name, record[name]]))
}

/** What was taken off a card, and when. */
export const redemption: Kind = {
  name: 'redemption',
  select: 'SELECT * FROM redemptions ORDER BY rank',
  repeats: true,
  members: [
    { name: 'redemption', read: id },
    { name: 'cents', read: whole(1) },
    { name: 'at', read: instant },
    { name: 'notes', read: orNull(text), implied: () => null },
  ],
  toRecord: (row) => ({ redemption: row['card'], cents: row['cents'], at: isoOf(row, 'at'), notes: row['notes'] }),
  insert: (store, record) => {
    store.run(
      'INSERT INTO redemptions (card, cents, at, notes) VALUES (?, ?, ?, ?)',
      String(record['redemption']),
      Number(record['cents']),
      msOf(record, 'at'),
      record['notes'] as string | null,
    )
  },
  problem: ({ redemption: number }, seen) =>
    seen.get('card')?.has(String(number)) ? null : `no line before has the card ${JSON.stringify(number)}`,
}
