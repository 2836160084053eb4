import { IDENTITY, kept, type MainTable, members, required, type Table, VERSION_AND_RAW } from './table.ts'

/** The gift cards as of the last snapshot. */
export const GIFT_CARDS: MainTable = {
  name: 'gift_cards',
  hasChangeDate: false,
  columns: [
    ...IDENTITY,
    ...members('instant', { issued_at: 'issuedDate', expires_at: 'expiryDate' }),
    ...members('cents', { amount_cents: 'amount', remaining_cents: 'remainingAmount' }),
    ...members('text', { status: 'status', payment_type: 'paymentType', card_format: 'cardFormat' }),
    ...members('text', { experience_card_name: 'experienceCardName' }),
    ...members('text', { experience_card_details: 'experienceCardDetails' }),
    ...members('text', { purchaser_first_name: 'purchaserFirstName', purchaser_last_name: 'purchaserLastName' }),
    ...members('text', { purchaser_email: 'purchaserEmail' }),
    ...members('text', { recipient_first_name: 'recipientFirstName', recipient_last_name: 'recipientLastName' }),
    ...members('text', { recipient_email: 'recipientEmail' }),
    ...VERSION_AND_RAW,
    // When the first snapshot without the card was taken. Null if the card is in the last snapshot.
    ...kept('instant', 'gone_at'),
  ],
  key: ['source', 'id'],
  indexes: [['status'], ['expires_at']],
  children: [],
}

/** One row for each full read of the gift cards, even if nothing changed. */
export const GIFT_CARD_SNAPSHOTS: Table = {
  name: 'gift_card_snapshots',
  columns: [
    ...required('text', 'source'),
    // The snapshot's number. Each source's snapshots are numbered from 1.
    ...required('integer', 'id'),
    ...required('instant', 'taken_at'),
    // The number of listed cards, and the numbers of cards that appeared, changed or disappeared since the previous
    // snapshot.
    ...required('integer', 'cards', 'appeared', 'changed', 'went'),
  ],
  key: ['source', 'id'],
  indexes: [['taken_at']],
}

/**
 * Changes to gift cards. There is one row for each card that appeared, changed or disappeared since the previous
 * snapshot.
 */
export const GIFT_CARD_CHANGES: Table = {
  name: 'gift_card_changes',
  columns: [
    ...required('text', 'source'),
    ...required('integer', 'snapshot_id'),
    ...required('text', 'id'),
    ...required('instant', 'taken_at'),
    // The kind of change: `appeared`, `changed`, or `went` if the card disappeared.
    ...required('text', 'change'),
    // The new values, which are null if the card disappeared.
    ...kept('text', 'status'),
    ...kept('cents', 'amount_cents', 'remaining_cents'),
    // The previous values, which are null if the card is new.
    ...kept('text', 'previous_status'),
    ...kept('cents', 'previous_amount_cents', 'previous_remaining_cents'),
    ...kept('json', 'raw'),
  ],
  key: ['source', 'snapshot_id', 'id'],
  indexes: [['taken_at'], ['id', 'taken_at']],
}
