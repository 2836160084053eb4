import {
  GIFT_CARD_FORMATS,
  GIFT_CARD_PAYMENT_TYPES,
  GIFT_CARD_STATUSES,
  type GiftCardStatus,
} from '../../../contract/giftcards.ts'
import { experienceOf, insertCard, seedCards } from '../../seed/cards.ts'
import { DAY, HOUR } from '../../venue/time.ts'
import type { ReadySnapshot, Scene } from './scene.ts'

const STATUS_PART: Readonly<Record<GiftCardStatus, string>> = {
  Active: 'ACTIV',
  Cancelled: 'VOIDS',
  Redeemed: 'SPENT',
  AwaitingPayment: 'UNPAI',
  PendingPostage: 'POSTS',
  Expired: 'OLDIE',
}

type Format = (typeof GIFT_CARD_FORMATS)[number]

const FORMAT_PART: Readonly<Record<Format, string>> = {
  EGiftCard: 'EGIFTCAR',
  PhysicalCard: 'PHYSICAL',
  ExperienceGiftCard: 'EXPERIEN',
  LSEGiftCard: 'LSEGIFTC',
  LSExperienceGiftCard: 'LSEXPERI',
}

/** Returns the number of the gift card with a given status and format, such as `ACTIV-EGIFTCAR-0001`. */
export function cardNumberOf(status: GiftCardStatus, format: Format): string {
  return `${STATUS_PART[status]}-${FORMAT_PART[format]}-0001`
}

export const everyCard: ReadySnapshot = {
  name: 'every-card',
  about: 'gift cards in every status and format, and one for each outcome of redeeming and cancelling',
  clock: '2026-12-01T00:00:00.000Z',
  fill: (scene) => {
    seedCards(scene.diary, scene.now)
    for (const [row, status] of GIFT_CARD_STATUSES.entries())
      for (const [column, format] of GIFT_CARD_FORMATS.entries())
        addCard(scene, { number: cardNumberOf(status, format), status, format, at: row + column })
    const active = { status: 'Active', format: 'EGiftCard' } as const
    addCard(scene, { ...active, number: 'SOONX-00000000-0001', at: 1, expires: scene.now + HOUR })
    addCard(scene, { ...active, number: 'PARTL-00000000-0001', left: 1_234, at: 1 })
    addCard(scene, { ...active, number: 'EMAIL-00000000-0001', at: 1, email: 'holder@example.com' })
  },
}

const CENTS = 5_000

/** A gift card to add. Its index `at` determines the payment type, so that every payment type occurs. */
type CardPlan = Readonly<{ number: string; status: GiftCardStatus; format: Format; at: number }> &
  Readonly<{ left?: number; expires?: number; email?: string }>

function addCard({ diary, now }: Scene, { number, status, format, at, email = '', ...plan }: CardPlan): void {
  const issued = now - (30 + at) * DAY
  const left = status === 'Redeemed' ? 0 : (plan.left ?? CENTS)
  const expires = plan.expires ?? (status === 'Expired' ? now - DAY : issued + 1095 * DAY)
  const paymentType = GIFT_CARD_PAYMENT_TYPES[at % GIFT_CARD_PAYMENT_TYPES.length] ?? 'Online'
  const experience = experienceOf(format, 'Chef’s Table, Thursday to Saturday')
  const purchaser = { purchaserFirstName: 'Zoë', purchaserLastName: 'Müller-Lüdenscheidt' }
  const recipient = email === '' ? {} : { recipientFirstName: '小芳', recipientLastName: '王', recipientEmail: email }
  const details = { paymentType, cardFormat: format, ...experience, ...purchaser, ...recipient }
  insertCard(diary, { number, status, amountCents: CENTS, remainingCents: left, issued, expires }, details)
}
