import { endpoint, refusal } from './endpoint.ts'
import { anything, cardNumber, decimal } from './shapes/scalars.ts'
import { schema } from './shapes/schema.ts'

const signatureFailures = {
  badSignature: refusal(400, 'Invalid signature.', {
    standing: 'assumed',
    hint: 'find the difference to your signature: partner sign verify --help',
  }),
  emptyBody: refusal(400, 'Request body is empty.', { standing: 'assumed' }),
} as const

/** Redeems a card; the partner signs the request. Source: "Partner inbound endpoints"; path and payload are assumed. */
export const inboundRedeem = endpoint({
  id: 'inbound.redeem',
  summary: 'Redeem a gift card, signed',
  method: 'POST',
  path: '/partners/{partnerName}/giftcards/redeem',
  standing: 'assumed',
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'money',
  touches: ['giftcards'],
  causes: 'GIFTCARDS_REDEEMED',
  body: schema((z) => z.looseObject({ cardNumber: cardNumber(z), amount: decimal(z), locationId: z.string() })),
  responses: { 200: anything },
  failures: signatureFailures,
})

/** Reads the balance of a card; the partner signs the request. Source: "Partner inbound endpoints"; path and payload are assumed. */
export const inboundBalance = endpoint({
  id: 'inbound.balance',
  summary: 'Read the balance of a gift card, signed',
  method: 'POST',
  path: '/partners/{partnerName}/giftcards/balance',
  standing: 'assumed',
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'none',
  touches: ['giftcards'],
  body: schema((z) => z.looseObject({ cardNumber: cardNumber(z), locationId: z.string() })),
  responses: { 200: anything },
  failures: signatureFailures,
})

/** Sends an event of the partner's; `webhooks.test_notification` does nothing. Source: "Partner inbound endpoints"; assumed. */
export const inboundEvent = endpoint({
  id: 'inbound.event',
  summary: "Send an event of the partner's, signed",
  method: 'POST',
  path: '/Sales/partners/{partnerName}/events/{eventType}',
  standing: 'assumed',
  source: 'Partner inbound endpoints',
  auth: 'signature',
  write: 'safe-to-repeat',
  touches: ['sales', 'bookings'],
  body: anything,
  answer: 'any',
  responses: { 200: anything },
  failures: {
    ...signatureFailures,
    inProgress: refusal(409, 'The sale is being processed.', {
      standing: 'assumed',
      code: 'CONFLICT',
      hint: 'try again after about a minute',
    }),
  },
})

/** The endpoints of this file, by their ids. */
export const INBOUND_ENDPOINTS = {
  [inboundRedeem.id]: inboundRedeem,
  [inboundBalance.id]: inboundBalance,
  [inboundEvent.id]: inboundEvent,
} as const
