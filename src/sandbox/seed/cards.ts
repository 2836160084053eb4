import type { GiftCardStatus } from '../../contract/giftcards.ts'
import type { CardDocument } from '../records/giftcards.ts'
import type { Store } from '../store/store.ts'
import { DAY } from '../venue/time.ts'
import { OTHER_VENUE_ID } from '../venue/venue.ts'

/** A gift card that every new sandbox has, with a number that is easy to remember. Money in cents. */
export interface SeedCard {
  readonly number: string
  readonly status: GiftCardStatus
  readonly amountCents: number
  readonly remainingCents: number
  readonly cardFormat: string
  readonly paymentType: string
  readonly what: string
}

/** The cards to try things on: one in each status, one of each format, and some with odd amounts. */
export const SEED_CARDS: readonly SeedCard[] = [
  card('GIFT1-00000100-AAAA', 'Active', 10_000, 10_000, 'EGiftCard', 'Online', 'active, 100.00 left'),
  card('GIFT2-00005025-AAAA', 'Active', 10_000, 5_025, 'PhysicalCard', 'InHouse', 'active, 50.25 of 100.00 left'),
  card('GIFT3-00003333-AAAA', 'Active', 3_333, 3_333, 'LSEGiftCard', 'Online', 'active, an odd 33.33 left'),
  card('GIFT4-00000001-AAAA', 'Active', 1_000, 1, 'EGiftCard', 'Complimentary', 'active, one cent left'),
  card(
    'GIFT5-00025000-AAAA',
    'Active',
    25_000,
    25_000,
    'ExperienceGiftCard',
    'Online',
    'active, an experience for 250.00',
  ),
  card(
    'GIFT6-00018000-AAAA',
    'Active',
    18_000,
    18_000,
    'LSExperienceGiftCard',
    'Online',
    'active, an experience for 180.00',
  ),
  card('GIFT7-99999999-AAAA', 'Active', 999_999_999, 999_999_999, 'PhysicalCard', 'InHouse', 'active, 9999999.99 left'),
  card('SPENT-00000000-RRRR', 'Redeemed', 5_000, 0, 'EGiftCard', 'Online', 'redeemed in full'),
  card('VOIDS-00000000-CCCC', 'Cancelled', 7_500, 7_500, 'PhysicalCard', 'InHouse', 'cancelled'),
  card('OLDIE-00000000-EEEE', 'Expired', 6_000, 4_210, 'EGiftCard', 'Online', 'expired'),
  card('UNPAI-00000000-PPPP', 'AwaitingPayment', 8_000, 8_000, 'LSEGiftCard', 'Online', 'awaiting payment'),
  card('POSTS-00000000-PPPP', 'PendingPostage', 12_000, 12_000, 'PhysicalCard', 'InHouse', 'pending postage'),
]

/** A card of another venue, for the second of the two documented "not found". */
export const OTHER_VENUE_CARD = 'OTHER-00000000-VVVV'

function card(
  number: string,
  status: GiftCardStatus,
  amountCents: number,
  remainingCents: number,
  cardFormat: string,
  paymentType: string,
  what: string,
): SeedCard {
  return { number, status, amountCents, remainingCents, cardFormat, paymentType, what }
}

const PEOPLE = [
  ['Olivia', 'Nguyen', 'Jack', 'Nguyen'],
  ['محمد', 'الفاسي', '小芳', '王'],
  ['Zoë', 'Müller-Lüdenscheidt', '', ''],
  ['', '', 'Jose\u0301', 'Nu\u0301n\u0303ez'],
] as const

/** Stores the cards, issued over the last months. */
export function seedCards(store: Store, now: number): void {
  for (const [at, seed] of SEED_CARDS.entries()) {
    const issued = now - (at + 1) * 9 * DAY
    const expires = seed.status === 'Expired' ? now - 3 * DAY : issued + 3 * 365 * DAY
    insertCard(
      store,
      { ...seed, location: store.venue.id, issued, expires, sku: `SKU-${seed.cardFormat}` },
      makeDocument(seed, at),
    )
  }
  const [first] = SEED_CARDS
  if (!first) return
  const other = { ...first, number: OTHER_VENUE_CARD, location: OTHER_VENUE_ID, sku: null }
  insertCard(store, { ...other, issued: now - DAY, expires: now + 365 * DAY }, makeDocument(first, 0))
}

/** Stores a card and returns true, unless its number is taken. Money in cents, times in milliseconds since 1970. */
export function insertCard(
  store: Store,
  row: Pick<SeedCard, 'number' | 'status' | 'amountCents' | 'remainingCents'> & {
    readonly location: string
    readonly issued: number
    readonly expires: number
    readonly sku: string | null
  },
  document: CardDocument,
): boolean {
  const stored = store.run(
    `INSERT OR IGNORE INTO gift_cards (number, location, status, amount_cents, remaining_cents, issued, expires, sku, document)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.number,
    row.location,
    row.status,
    row.amountCents,
    row.remainingCents,
    row.issued,
    row.expires,
    row.sku,
    JSON.stringify(document),
  )
  return stored > 0
}

function makeDocument(seed: SeedCard, at: number): CardDocument {
  const [purchaserFirst, purchaserLast, recipientFirst, recipientLast] = PEOPLE[at % PEOPLE.length] ?? PEOPLE[0]
  const experience = seed.cardFormat.includes('Experience')
  return {
    paymentType: seed.paymentType,
    cardFormat: seed.cardFormat,
    experienceCardName: experience ? 'Seven Courses for Two' : '',
    experienceCardDetails: experience ? 'Chef’s Table, Thursday to Saturday\nMatching wines 🍷 included' : '',
    purchaserFirstName: purchaserFirst,
    purchaserLastName: purchaserLast,
    purchaserEmail: purchaserFirst === '' ? '' : `buyer${at + 1}@example.com`,
    recipientFirstName: recipientFirst,
    recipientLastName: recipientLast,
    recipientEmail: recipientFirst === '' ? '' : `guest${at + 1}@example.com`,
  }
}
