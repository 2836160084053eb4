import { assumed, assumedRefusal } from './endpoint.ts'
import { anything, cardNumber, decimal } from './shapes/scalars.ts'
import { schema } from './shapes/schema.ts'

const signatureFailures = {
  badSignature: assumedRefusal(400, 'Invalid signature.', {
    hint: 'find out why your signature differs: partner sign verify --help',
  }),
  emptyBody: assumedRefusal(400, 'Request body is empty.'),
} as const

/**
 * Redeems a card with a request that the partner signs. Source: "Partner inbound endpoints"; path and payload are
 * assumed.
 */
export const inboundRedeem = assumed('inbound.redeem', 'POST /partners/{partnerName}/giftcards/redeem', {
  summary: 'Redeem a gift card with a signed request',
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'money',
  touches: ['giftcards'],
  causes: 'GIFTCARDS_REDEEMED',
  body: schema((z) => z.looseObject({ cardNumber: cardNumber(z), amount: decimal(z), locationId: z.string() })),
  responses: { 200: anything },
  failures: signatureFailures,
})

/**
 * Reads a card's balance with a request that the partner signs. Source: "Partner inbound endpoints"; path and payload
 * are assumed.
 */
export const inboundBalance = assumed('inbound.balance', 'POST /partners/{partnerName}/giftcards/balance', {
  summary: 'Read the balance of a gift card with a signed request',
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'none',
  touches: ['giftcards'],
  body: schema((z) => z.looseObject({ cardNumber: cardNumber(z), locationId: z.string() })),
  responses: { 200: anything },
  failures: signatureFailures,
})

/**
 * Sends an event from the partner. `webhooks.test_notification` has no effect. Source: "Partner inbound endpoints"; the
 * details are assumed.
 */
export const inboundEvent = assumed('inbound.event', 'POST /Sales/partners/{partnerName}/events/{eventType}', {
  summary: "Send one of the partner's events with a signed request",
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'safe-to-repeat',
  touches: ['sales', 'bookings'],
  body: anything,
  answer: 'any',
  responses: { 200: anything },
  failures: {
    ...signatureFailures,
    inProgress: assumedRefusal(409, 'The sale is being processed.', {
      code: 'CONFLICT',
      hint: 'try again after about a minute',
    }),
  },
})

export const INBOUND_ENDPOINTS = {
  [inboundRedeem.id]: inboundRedeem,
  [inboundBalance.id]: inboundBalance,
  [inboundEvent.id]: inboundEvent,
} as const
