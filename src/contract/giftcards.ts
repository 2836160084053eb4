import { assumed, assumedRefusal, documented, refusal } from './endpoint.ts'
import { invalidDate, keyWithoutVenue } from './failures.ts'
import { always, formed, oneOf, sureDecimal, sureText } from './shapes/facts.ts'
import { page, pageQuery } from './shapes/pages.ts'
import { anything, cardNumber, decimal, queryInstant, text } from './shapes/scalars.ts'
import { lenientObject, schema } from './shapes/schema.ts'

/** The statuses of a gift card. Source: "Gift card". */
export const GIFT_CARD_STATUSES = [
  'Active',
  'Cancelled',
  'Redeemed',
  'AwaitingPayment',
  'PendingPostage',
  'Expired',
] as const
export type GiftCardStatus = (typeof GIFT_CARD_STATUSES)[number]

/** The formats that a gift card can be issued in. Source: "Gift card". */
export const GIFT_CARD_FORMATS = [
  'EGiftCard',
  'PhysicalCard',
  'ExperienceGiftCard',
  'LSEGiftCard',
  'LSExperienceGiftCard',
] as const

/** The ways to pay for a gift card. Source: "Gift card". */
export const GIFT_CARD_PAYMENT_TYPES = ['InHouse', 'Online', 'Complimentary'] as const

/**
 * A gift card. `amount` is its total value, and `remainingAmount` is its balance. Both are in currency units. Source:
 * "Gift card".
 */
export const giftCard = schema((z) =>
  lenientObject(z, {
    cardNumber: always(formed(z, 'card')),
    issuedDate: always(formed(z, 'instant')).describe('ISO 8601'),
    expiryDate: always(formed(z, 'instant')).describe('ISO 8601'),
    amount: sureDecimal(z),
    remainingAmount: sureDecimal(z),
    status: always(oneOf(z, GIFT_CARD_STATUSES)),
    paymentType: always(oneOf(z, GIFT_CARD_PAYMENT_TYPES)),
    cardFormat: always(oneOf(z, GIFT_CARD_FORMATS)),
    experienceCardName: sureText(z),
    experienceCardDetails: sureText(z),
    purchaserFirstName: sureText(z),
    purchaserLastName: sureText(z),
    purchaserEmail: sureText(z),
    recipientFirstName: sureText(z),
    recipientLastName: sureText(z),
    recipientEmail: sureText(z),
  }),
)

const cardNotFound = assumedRefusal(404, "Gift card '{cardNumber}' not found.", {
  code: 'NOT_FOUND',
  hint: 'check the number on the card, and that this profile is for the venue that sold it',
})

const detailsUnavailable = refusal(500, 'Failed to retrieve card details.', {
  code: 'SERVICE_ERROR',
  hint: 'nothing was changed; try again in a minute',
})

/** Gets a gift card. Source: "GET /GiftCards/{cardNumber}". */
export const getGiftCard = documented('giftcards.get', 'GET /GiftCards/{cardNumber}', {
  summary: 'Get a gift card',
  write: 'none',
  touches: ['giftcards'],
  responses: { 200: giftCard },
  failures: {
    keyWithoutVenue,
    notFound: cardNotFound,
    notFoundAtVenue: assumedRefusal(404, "No gift card with number '{cardNumber}' exists for this venue.", {
      code: 'NOT_FOUND',
      hint: cardNotFound.hint,
    }),
    unexpected: refusal(500, 'Failed to retrieve the card details.', { code: 'SERVICE_ERROR' }),
  },
})

/**
 * A request to redeem an amount from a card. `amount` is in currency units, above 0, with at most two decimal places
 * (assumed). Source: "POST /GiftCards/redeem".
 */
export const redeemRequest = schema((z) =>
  z.object({
    cardNumber: cardNumber(z),
    amount: decimal(z),
    issuedToEmail: z.string().optional().describe('used for verification'),
    notes: z.string().optional(),
  }),
)

/**
 * The result of redeeming an amount from a card. A failed redemption has the HTTP status 200 and `isSuccess: false`.
 * `status` is Active, Redeemed or Error. Source: "POST /GiftCards/redeem".
 */
export const redeemResult = schema((z) =>
  lenientObject(z, {
    cardNumber: always(formed(z, 'card')),
    amountRedeemed: sureDecimal(z),
    status: always(oneOf(z, ['Active', 'Redeemed', 'Error'])),
    isSuccess: always(z.boolean().nullish()),
    errorMessage: text(z),
  }),
)

/** Redeems an amount from a card. Source: "POST /GiftCards/redeem". */
export const redeemGiftCard = documented('giftcards.redeem', 'POST /GiftCards/redeem', {
  summary: 'Redeem a gift card',
  write: 'money',
  touches: ['giftcards'],
  causes: 'GIFTCARDS_REDEEMED',
  body: redeemRequest,
  responses: { 200: redeemResult },
  failures: {
    invalidAmount: assumedRefusal(400, "Invalid redeem amount '{amount}' for card '{cardNumber}'."),
    notFound: cardNotFound,
    unexpected: detailsUnavailable,
  },
})

/**
 * Cancels a card permanently. The status 304 means that the card was already cancelled. Source: "PATCH
 * /GiftCards/cancel".
 */
export const cancelGiftCard = documented('giftcards.cancel', 'PATCH /GiftCards/cancel', {
  summary: 'Cancel a gift card',
  write: 'money',
  touches: ['giftcards'],
  causes: 'GIFTCARDS_CANCELLED',
  body: schema((z) => z.object({ cardNumber: cardNumber(z) })),
  responses: { 200: anything, 304: anything },
  failures: {
    fullyRedeemed: assumedRefusal(400, "Gift card '{cardNumber}' is fully redeemed and cannot be cancelled.", {
      hint: 'the card has no balance left; nothing was changed',
    }),
    notFound: cardNotFound,
    unexpected: detailsUnavailable,
  },
})

/** Searches for gift cards. Source: "Other endpoints"; the shape is assumed. */
export const listGiftCards = assumed('giftcards.list', 'GET /GiftCards', {
  summary: 'Search gift cards',
  write: 'none',
  touches: ['giftcards'],
  query: schema((z) =>
    pageQuery(z).extend({
      Sku: z.string().optional(),
      IssueDateUtcStart: queryInstant(z).optional(),
      IssueDateUtcEnd: queryInstant(z).optional(),
      IncludeCancelled: z.boolean().optional(),
      IncludeRedeemed: z.boolean().optional(),
      IncludeExpired: z.boolean().optional(),
    }),
  ),
  responses: { 200: page(giftCard) },
  list: { member: 'items', paging: 'offset' },
  failures: { invalidDate },
})

export const GIFT_CARDS_ENDPOINTS = {
  [getGiftCard.id]: getGiftCard,
  [listGiftCards.id]: listGiftCards,
  [redeemGiftCard.id]: redeemGiftCard,
  [cancelGiftCard.id]: cancelGiftCard,
} as const
