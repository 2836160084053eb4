import { assumed, assumedRefusal, documented, refusal } from './endpoint.ts'
import { WEBHOOK_EVENTS } from './events.ts'
import { keyWithoutVenue } from './failures.ts'
import { always, oneOf, sureText } from './shapes/facts.ts'
import { anything, listOf, text, webhookUrl } from './shapes/scalars.ts'
import { lenientObject, schema, type Zod } from './shapes/schema.ts'

/** The result of subscribing to an event. Source: "POST /Webhooks". */
export const subscriptionResult = schema((z) =>
  lenientObject(z, {
    event: always(oneOf(z, WEBHOOK_EVENTS)),
    webhookUrl: sureText(z),
    locationId: sureText(z),
    errorMessage: text(z),
  }),
)

/** A subscription without its credentials. The shape is assumed: the specification does not describe it. */
export const subscription = schema((z) =>
  lenientObject(z, {
    event: always(oneOf(z, WEBHOOK_EVENTS)),
    webhookUrl: sureText(z),
    locationId: text(z),
    authenticationEnabled: always(z.boolean().nullish()),
  }),
)

/**
 * A delivered event. It identifies a record, whose details the receiver then requests. The same event may be delivered
 * more than once. This is an assumption: the specification does not say.
 */
export const deliveredEvent = schema((z) =>
  z.looseObject({
    eventType: z.string(),
    data: lenientObject(z, { bookingId: text(z), cardNumber: text(z), locationId: text(z) }),
  }),
)

const target = (z: Zod) => ({
  webhookUrl: webhookUrl(z),
  securityKey: z.string().optional().describe('sent in a header of each delivery'),
  securityToken: z.string().optional().describe('sent alongside securityKey'),
})

const VERIFICATION = 'Giftcard Webhook Request Failed Verification.'
const verificationHint =
  'the service verifies a URL before it sends gift card events, and this URL did not answer with a 2xx: it must be reachable from the internet, have a valid certificate, and answer a POST with a 2xx within 5 seconds; test it from another network with curl -i -X POST URL, then run the command again'

const invalidRequest = assumedRefusal(400, 'Request does not contain a valid Event and/or webhook Url')

/** Subscribes to an event. Source: "POST /Webhooks". */
export const createWebhook = documented('webhooks.create', 'POST /Webhooks', {
  summary: 'Subscribe to an event',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  body: schema((z) => z.object({ event: z.enum(WEBHOOK_EVENTS), ...target(z) })),
  answer: 'any',
  responses: { 200: subscriptionResult },
  failures: {
    keyWithoutVenue,
    verificationFailed: refusal(400, VERIFICATION, { hint: verificationHint }),
    invalidRequest,
  },
})

/** Lists the location's subscriptions. Source: "Other endpoints"; the shape is assumed. */
export const listWebhooks = assumed('webhooks.list', 'GET /Webhooks', {
  summary: 'List the webhook subscriptions',
  write: 'none',
  touches: ['webhooks'],
  responses: { 200: listOf(subscription) },
  list: { member: null, paging: 'none' },
  failures: {},
})

const unknownEvent = assumedRefusal(404, "'{event}' not found.", {
  code: 'NOT_FOUND',
  hint: `use one of ${WEBHOOK_EVENTS.join(', ')}`,
})
const noSubscription = assumedRefusal(404, "Webhook Subscription for event '{event}' was not found", {
  code: 'NOT_FOUND',
  hint: 'to list the subscriptions: partner webhooks list',
})

/** Gets the subscription to an event. Source: "Other endpoints"; the shape is assumed. */
export const getWebhook = assumed('webhooks.get', 'GET /Webhooks/{event}', {
  summary: 'Get the subscription to an event',
  write: 'none',
  touches: ['webhooks'],
  responses: { 200: subscription },
  failures: { unknownEvent, noSubscription },
})

/** Replaces the URL or credentials of a subscription. Source: "Other endpoints"; the shape is assumed. */
export const updateWebhook = assumed('webhooks.update', 'PUT /Webhooks/{event}', {
  summary: 'Replace the URL or credentials of a subscription',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  body: schema((z) => z.object(target(z))),
  answer: 'any',
  responses: { 200: subscriptionResult },
  failures: {
    unknownEvent,
    noSubscription,
    verificationFailed: assumedRefusal(400, VERIFICATION, { hint: verificationHint }),
    invalidRequest,
  },
})

/** Deletes a subscription. Source: "Other endpoints"; the shape is assumed. */
export const deleteWebhook = assumed('webhooks.delete', 'DELETE /Webhooks/{event}', {
  summary: 'End a subscription',
  write: 'safe-to-repeat',
  touches: ['webhooks'],
  answer: 'any',
  responses: { 200: anything },
  failures: { unknownEvent, noSubscription },
})

export const WEBHOOKS_ENDPOINTS = {
  [listWebhooks.id]: listWebhooks,
  [getWebhook.id]: getWebhook,
  [createWebhook.id]: createWebhook,
  [updateWebhook.id]: updateWebhook,
  [deleteWebhook.id]: deleteWebhook,
} as const
