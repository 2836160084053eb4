import { IDENTITY, kept, type MainTable, members, type Table, VERSION_AND_RAW } from './table.ts'

/** Gift cards as of the last snapshot. */
export const GIFT_CARDS: MainTable = {
  name: 'gift_cards',
  hasChangeDate: false,
  columns: [
    ...IDENTITY,
    ...members([
      ['issued_at', 'instant', 'issuedDate'],
      ['expires_at', 'instant', 'expiryDate'],
      ['amount_cents', 'cents', 'amount'],
      ['remaining_cents', 'cents', 'remainingAmount'],
      ['status', 'text', 'status'],
      ['payment_type', 'text', 'paymentType'],
      ['card_format', 'text', 'cardFormat'],
      ['experience_card_name', 'text', 'experienceCardName'],
      ['experience_card_details', 'text', 'experienceCardDetails'],
      ['purchaser_first_name', 'text', 'purchaserFirstName'],
      ['purchaser_last_name', 'text', 'purchaserLastName'],
      ['purchaser_email', 'text', 'purchaserEmail'],
      ['recipient_first_name', 'text', 'recipientFirstName'],
      ['recipient_last_name', 'text', 'recipientLastName'],
      ['recipient_email', 'text', 'recipientEmail'],
    ]),
    ...VERSION_AND_RAW,
    // The first snapshot without it; null if the last one has it.
    kept('gone_at', 'instant'),
  ],
  key: ['source', 'id'],
  indexes: [['status'], ['expires_at']],
  children: [],
}

/** The snapshots: one for each full read, even if nothing changed. */
export const GIFT_CARD_SNAPSHOTS: Table = {
  name: 'gift_card_snapshots',
  columns: [
    kept('source', 'text', true),
    // 1, 2, 3, … for each source.
    kept('id', 'integer', true),
    kept('taken_at', 'instant', true),
    // The number of listed cards, and of changes since the last snapshot.
    kept('cards', 'integer', true),
    kept('appeared', 'integer', true),
    kept('changed', 'integer', true),
    kept('went', 'integer', true),
  ],
  key: ['source', 'id'],
  indexes: [['taken_at']],
}

/** A row for each card that appeared, changed or went since the last snapshot. */
export const GIFT_CARD_CHANGES: Table = {
  name: 'gift_card_changes',
  columns: [
    kept('source', 'text', true),
    kept('snapshot_id', 'integer', true),
    kept('id', 'text', true),
    kept('taken_at', 'instant', true),
    // appeared, changed or went
    kept('change', 'text', true),
    // Null for a card that went.
    kept('status', 'text'),
    kept('amount_cents', 'cents'),
    kept('remaining_cents', 'cents'),
    // Null for a card that appeared.
    kept('previous_status', 'text'),
    kept('previous_amount_cents', 'cents'),
    kept('previous_remaining_cents', 'cents'),
    kept('raw', 'json'),
  ],
  key: ['source', 'snapshot_id', 'id'],
  indexes: [['taken_at'], ['id', 'taken_at']],
}
