import { CARD_DEFAULTS, type Card, type CardDocument } from '../records/giftcards.ts'
import type { Store } from '../store/store.ts'
import { DAY } from '../venue/time.ts'
import { OTHER_VENUE_ID } from '../venue/venue.ts'

type SeedCard = (typeof SEED_CARDS)[number]

/**
 * A new venue's gift cards. They cover every status and format, and some have odd amounts. Amounts are in cents.
 */
export const SEED_CARDS = (
  [
    ['GIFT1-00000100-AAAA', 'Active', 10_000, 10_000, 'EGiftCard', 'Online'],
    ['GIFT2-00005025-AAAA', 'Active', 10_000, 5_025, 'PhysicalCard', 'InHouse'],
    ['GIFT3-00003333-AAAA', 'Active', 3_333, 3_333, 'LSEGiftCard', 'Online'],
    ['GIFT4-00000001-AAAA', 'Active', 1_000, 1, 'EGiftCard', 'Complimentary'],
    ['GIFT5-00025000-AAAA', 'Active', 25_000, 25_000, 'ExperienceGiftCard', 'Online'],
    ['GIFT6-00018000-AAAA', 'Active', 18_000, 18_000, 'LSExperienceGiftCard', 'Online'],
    ['GIFT7-99999999-AAAA', 'Active', 999_999_999, 999_999_999, 'PhysicalCard', 'InHouse'],
    ['SPENT-00000000-RRRR', 'Redeemed', 5_000, 0, 'EGiftCard', 'Online'],
    ['VOIDS-00000000-CCCC', 'Cancelled', 7_500, 7_500, 'PhysicalCard', 'InHouse'],
    ['OLDIE-00000000-EEEE', 'Expired', 6_000, 4_210, 'EGiftCard', 'Online'],
    ['UNPAI-00000000-PPPP', 'AwaitingPayment', 8_000, 8_000, 'LSEGiftCard', 'Online'],
    ['POSTS-00000000-PPPP', 'PendingPostage', 12_000, 12_000, 'PhysicalCard', 'InHouse'],
  ] as const
).map(([number, status, amountCents, remainingCents, cardFormat, paymentType]) => {
  return { number, status, amountCents, remainingCents, cardFormat, paymentType }
})

/** A gift card from a different venue. Requests for it receive the second documented "not found" response. */
export const OTHER_VENUE_CARD = 'OTHER-00000000-VVVV'

const PEOPLE = [
  ['Olivia', 'Nguyen', 'Jack', 'Nguyen'],
  ['محمد', 'الفاسي', '小芳', '王'],
  ['Zoë', 'Müller-Lüdenscheidt', '', ''],
  ['', '', 'Jose\u0301', 'Nu\u0301n\u0303ez'],
] as const

export function seedCards(store: Store, now: number): void {
  for (const [at, seed] of SEED_CARDS.entries()) {
    const issued = now - (at + 1) * 9 * DAY
    const expires = seed.status === 'Expired' ? now - 3 * DAY : issued + 3 * 365 * DAY
    insertCard(store, { ...seed, issued, expires }, makeDocument(seed, at))
  }
  const [first] = SEED_CARDS
  if (!first) return
  const other = { ...first, number: OTHER_VENUE_CARD, location: OTHER_VENUE_ID, sku: null }
  insertCard(store, { ...other, issued: now - DAY, expires: now + 365 * DAY }, makeDocument(first, 0))
}

/**
 * Stores a gift card. `details` override the card's defaults. Returns false if the number is already in use. Amounts
 * are in cents, and times are in milliseconds since 1970.
 */
export function insertCard(
  store: Store,
  row: Pick<Card, 'number' | 'status' | 'amountCents' | 'remainingCents'> & {
    readonly location?: string
    readonly issued: number
    readonly expires: number
    readonly sku?: string | null
  },
  details: Partial<CardDocument> = {},
): boolean {
  const document = { ...CARD_DEFAULTS, ...details }
  const { number, status, location = store.venue.id, issued, expires, sku = `SKU-${document.cardFormat}` } = row
  const { amountCents: amount_cents, remainingCents: remaining_cents } = row
  const columns = { number, location, status, amount_cents, remaining_cents, issued, expires, sku }
  return store.insert('gift_cards', { ...columns, document: JSON.stringify(document) }, 'IGNORE') > 0
}

/** Returns the members that describe an experience, or no members if the card's format is not an experience. */
export function experienceOf(cardFormat: string, description: string): Partial<CardDocument> {
  if (!cardFormat.includes('Experience')) return {}
  return { experienceCardName: 'Seven Courses for Two', experienceCardDetails: description }
}

function makeDocument({ paymentType, cardFormat }: SeedCard, at: number): Partial<CardDocument> {
  const [purchaserFirst, purchaserLast, recipientFirst, recipientLast] = PEOPLE[at % PEOPLE.length] ?? PEOPLE[0]
  return {
    paymentType,
    cardFormat,
    ...experienceOf(cardFormat, 'Chef’s Table, Thursday to Saturday\nMatching wines 🍷 included'),
    purchaserFirstName: purchaserFirst,
    purchaserLastName: purchaserLast,
    purchaserEmail: purchaserFirst === '' ? '' : `buyer${at + 1}@example.com`,
    recipientFirstName: recipientFirst,
    recipientLastName: recipientLast,
    recipientEmail: recipientFirst === '' ? '' : `guest${at + 1}@example.com`,
  }
}
