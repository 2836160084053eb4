import { endpoint, refusal } from './endpoint.ts'
import { WEBHOOK_EVENTS } from './events.ts'
import { keyWithoutVenue } from './failures.ts'
import { always, oneOf, sureText } from './shapes/facts.ts'
import { anything, listOf, text, webhookUrl } from './shapes/scalars.ts'
import { lenientObject, schema } from './shapes/schema.ts'

/** The result of subscribing. Source: "POST /Webhooks". */
export const subscriptionResult = schema((z) =>
  lenientObject(z, {
    event: always(oneOf(z, WEBHOOK_EVENTS)),
    webhookUrl: sureText(z),
    locationId: sureText(z),
    errorMessage: text(z),
  }),
)

/** A subscription as it is read back, without its credentials. Assumed. */
export const subscription = schema((z) =>
  lenientObject(z, {
    event: always(oneOf(z, WEBHOOK_EVENTS)),
    webhookUrl: sureText(z),
    locationId: text(z),
    authenticationEnabled: always(z.boolean().nullish()),
  }),
)

/** A delivered event. It only names the record, which the receiver fetches. It may come more than once. Assumed. */
export const deliveredEvent = schema((z) =>
  z.looseObject({
    eventType: z.string(),
    data: lenientObject(z, { bookingId: text(z), cardNumber: text(z), locationId: text(z) }),
  }),
)

const credentials = {
  securityKey: 'sent in the header of deliveries',
  securityToken: 'sent alongside securityKey',
} as const

const VERIFICATION = 'Giftcard Webhook Request Failed Verification.'
const verificationHint =
  'the service called the URL to verify it, as it does before it sends gift card events, and got no 2xx: the URL must be open to the internet, with a valid certificate, and answer a POST with a 2xx within 5 seconds; check that from outside with curl -i -X POST URL, then run this again'

/** Subscribes to an event. Source: "POST /Webhooks". */
export const createWebhook = endpoint({
  id: 'webhooks.create',
  summary: 'Subscribe to an event',
  method: 'POST',
  path: '/Webhooks',
  standing: 'documented',
  source: 'POST /Webhooks',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  body: schema((z) =>
    z.object({
      event: z.enum(WEBHOOK_EVENTS),
      webhookUrl: webhookUrl(z),
      securityKey: z.string().optional().describe(credentials.securityKey),
      securityToken: z.string().optional().describe(credentials.securityToken),
    }),
  ),
  answer: 'any',
  responses: { 200: subscriptionResult },
  failures: {
    keyWithoutVenue,
    verificationFailed: refusal(400, VERIFICATION, { hint: verificationHint }),
    invalidRequest: refusal(400, 'Request does not contain a valid Event and/or webhook Url', { standing: 'assumed' }),
  },
})

/** Lists the subscriptions of the location. Source: "Other endpoints"; the shape is assumed. */
export const listWebhooks = endpoint({
  id: 'webhooks.list',
  summary: 'List the webhook subscriptions',
  method: 'GET',
  path: '/Webhooks',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'none',
  touches: ['webhooks'],
  responses: { 200: listOf(subscription) },
  list: { member: null, paging: 'none' },
  failures: {},
})

const unknownEvent = refusal(404, "'{event}' not found.", {
  standing: 'assumed',
  code: 'NOT_FOUND',
  hint: `use one of ${WEBHOOK_EVENTS.join(', ')}`,
})
const noSubscription = refusal(404, "Webhook Subscription for event '{event}' was not found", {
  standing: 'assumed',
  code: 'NOT_FOUND',
  hint: 'see the subscriptions: partner webhooks list',
})

/** Gets the subscription to an event. Source: "Other endpoints"; the shape is assumed. */
export const getWebhook = endpoint({
  id: 'webhooks.get',
  summary: 'Get the subscription to an event',
  method: 'GET',
  path: '/Webhooks/{event}',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'none',
  touches: ['webhooks'],
  responses: { 200: subscription },
  failures: { unknownEvent, noSubscription },
})

/** Replaces the URL or credentials of a subscription. Source: "Other endpoints"; the shape is assumed. */
export const updateWebhook = endpoint({
  id: 'webhooks.update',
  summary: 'Replace the URL or credentials of a subscription',
  method: 'PUT',
  path: '/Webhooks/{event}',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  body: schema((z) =>
    z.object({
      webhookUrl: webhookUrl(z),
      securityKey: z.string().optional().describe(credentials.securityKey),
      securityToken: z.string().optional().describe(credentials.securityToken),
    }),
  ),
  answer: 'any',
  responses: { 200: subscriptionResult },
  failures: {
    unknownEvent,
    noSubscription,
    verificationFailed: refusal(400, VERIFICATION, { hint: verificationHint, standing: 'assumed' }),
    invalidRequest: refusal(400, 'Request does not contain a valid Event and/or webhook Url', { standing: 'assumed' }),
  },
})

/** Ends a subscription. Source: "Other endpoints"; the shape is assumed. */
export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  summary: 'End a subscription',
  method: 'DELETE',
  path: '/Webhooks/{event}',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  answer: 'any',
  responses: { 200: anything },
  failures: { unknownEvent, noSubscription },
})

/** The endpoints of this file, by their ids. */
export const WEBHOOKS_ENDPOINTS = {
  [listWebhooks.id]: listWebhooks,
  [getWebhook.id]: getWebhook,
  [createWebhook.id]: createWebhook,
  [updateWebhook.id]: updateWebhook,
  [deleteWebhook.id]: deleteWebhook,
} as const
