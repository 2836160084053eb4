import { assumedRejection, type ExpectedResponse, isMissing, type Rule, reject, respond } from '../expected-response.ts'
import type { Model } from '../state.ts'
import { EVENTS } from './events.ts'
import { defineRule, type Rules } from './rule.ts'

const isEvent = (name: unknown) => EVENTS.some((event) => event === name)

/**
 * The specification says "request does not contain a valid Event and/or webhook Url". The exact message is an
 * assumption.
 */
const invalid = () => assumedRejection(400, 'Request does not contain a valid Event and/or webhook Url')

function hostOf(text: unknown): string | null {
  const url = typeof text === 'string' ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.hostname : null
}

/**
 * The specification says "A gift card subscription can be rejected." The model assumes that it is rejected if its host
 * name cannot exist.
 */
function rejectUnverifiable(event: string, url: string): ExpectedResponse | null {
  const isRejected = event.startsWith('GIFTCARDS_') && hostOf(url)?.endsWith('.invalid')
  return isRejected ? reject(400, 'Giftcard Webhook Request Failed Verification.') : null
}

/**
 * POST /Webhooks. The specification says "subscribed one per event name per location". The model assumes that a second
 * subscription replaces all members of the first.
 */
const subscribe: Rule = ({ model, body }) => {
  const { event, webhookUrl } = body
  if (!isEvent(event) || hostOf(webhookUrl) === null) return invalid()
  const rejected = rejectUnverifiable(event, webhookUrl)
  if (rejected) return rejected
  const { securityKey = null, securityToken = null } = body
  model.subscriptions.set(event, { url: webhookUrl, securityKey, securityToken })
  return result(model, event)
}

/**
 * Returns the response to a request that creates or changes a subscription. The specification says "Response 200:
 * event, webhookUrl, locationId, errorMessage (all strings)."
 */
function result({ venue, subscriptions }: Model, event: string): ExpectedResponse {
  const webhookUrl = subscriptions.get(event)?.url
  return respond(200, { event, webhookUrl, locationId: venue.locationId, errorMessage: '' })
}

/** Returns a subscription as GET /Webhooks shows it. The members are an assumption. */
function shown({ venue, subscriptions }: Model, event: string): Record<string, unknown> {
  const { url, securityKey = null, securityToken = null } = subscriptions.get(event) ?? {}
  const authenticationEnabled = securityKey !== null || securityToken !== null
  return { event, webhookUrl: url, locationId: venue.locationId, authenticationEnabled }
}

/** GET /Webhooks. The model assumes that the list is sorted by event name. */
const listSubscriptions: Rule = ({ model }) =>
  respond(
    200,
    [...model.subscriptions.keys()].sort().map((event) => shown(model, event)),
  )

/** Rejects an unknown event or an event without a subscription with a 404. Both messages are assumptions. */
function rejectUnsubscribed({ subscriptions }: Model, event: string): ExpectedResponse | null {
  if (!isEvent(event)) return assumedRejection(404, `'${event}' not found.`)
  if (subscriptions.has(event)) return null
  return assumedRejection(404, `Webhook Subscription for event '${event}' was not found`)
}

const getSubscription: Rule = ({ model, parameters: { event = '' } }) =>
  rejectUnsubscribed(model, event) ?? respond(200, shown(model, event))

/**
 * PUT /Webhooks/{event}. The specification says "Updates the URL or credentials of a subscription." The model assumes
 * that omitted members do not change.
 */
const updateSubscription: Rule = ({ model, parameters: { event = '' }, body }) => {
  const absent = rejectUnsubscribed(model, event)
  if (absent) return absent
  const known = model.subscriptions.get(event)
  if (!known) return invalid()
  const { webhookUrl, securityKey, securityToken } = body
  if ([webhookUrl, securityKey, securityToken].every((value) => value === undefined || value === null)) return invalid()
  const url = webhookUrl ?? known.url
  if (isMissing(url) || hostOf(url) === null) return invalid()
  const rejected = rejectUnverifiable(event, url)
  if (rejected) return rejected
  model.subscriptions.set(event, {
    url,
    securityKey: securityKey ?? known.securityKey,
    securityToken: securityToken ?? known.securityToken,
  })
  return result(model, event)
}

/**
 * DELETE /Webhooks/{event}. The specification says "Deletes a subscription; notifications stop". The model assumes that
 * pending notifications are not sent either.
 */
const unsubscribe: Rule = ({ model, parameters: { event = '' } }) => {
  const absent = rejectUnsubscribed(model, event)
  if (absent) return absent
  model.subscriptions.delete(event)
  for (const delivery of model.deliveries) if (delivery.event === event) delivery.due = null
  return respond(200, { event, locationId: model.venue.locationId })
}

export const WEBHOOKS = {
  'webhooks.create': defineRule('POST /Webhooks', subscribe),
  'webhooks.list': defineRule('GET /Webhooks', listSubscriptions),
  'webhooks.get': defineRule('GET /Webhooks/{event}', getSubscription),
  'webhooks.update': defineRule('PUT /Webhooks/{event}', updateSubscription),
  'webhooks.delete': defineRule('DELETE /Webhooks/{event}', unsubscribe),
} satisfies Partial<Rules>
