import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { dropDeliveries } from '../deliveries/deliveries.ts'
import { IS_LINKED_SQL, type Row, type Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

export const WEBHOOK_HANDLERS = {
  /** POST /Webhooks. Each event has at most one subscription. A new subscription replaces the old one. */
  'webhooks.create': ({ store, body, refuse }) => {
    const { event, webhookUrl } = body
    if (!event || !isEvent(event) || !webhookUrl) throw refuse('invalidRequest')
    if (readHttpHost(webhookUrl) === null) throw refuse('invalidRequest')
    if (failsVerification(event, webhookUrl)) throw refuse('verificationFailed')
    subscribe(store, event, webhookUrl, body.securityKey ?? null, body.securityToken ?? null)
    return { status: 200, body: toResult(store, event, webhookUrl) }
  },

  'webhooks.list': ({ store }) => {
    const rows = store.all('SELECT * FROM subscriptions WHERE location = ? ORDER BY event', store.venue.id)
    return { status: 200, body: rows.map(toSubscription) }
  },

  'webhooks.get': ({ store, parameters: { event }, refuse }) => {
    if (!isEvent(event)) throw refuse('unknownEvent', { event })
    const row = findSubscription(store, event)
    if (!row) throw refuse('noSubscription', { event })
    return { status: 200, body: toSubscription(row) }
  },

  /** PUT /Webhooks/{event}. Changes the URL, the credentials or both. Source: "Other endpoints". */
  'webhooks.update': ({ store, parameters, body, refuse }) => {
    const { event } = parameters
    if (!isEvent(event)) throw refuse('unknownEvent', { event })
    const row = findSubscription(store, event)
    if (!row) throw refuse('noSubscription', { event })
    const { securityKey = null, securityToken = null } = body
    const isEmpty = (body.webhookUrl ?? securityKey ?? securityToken) === null
    const webhookUrl = body.webhookUrl ?? String(row['url'])
    if (isEmpty || readHttpHost(webhookUrl) === null) throw refuse('invalidRequest')
    if (failsVerification(event, webhookUrl)) throw refuse('verificationFailed')
    const key = securityKey ?? (row['security_key'] as string | null)
    subscribe(store, event, webhookUrl, key, securityToken ?? (row['security_token'] as string | null))
    return { status: 200, body: toResult(store, event, webhookUrl) }
  },

  'webhooks.delete': ({ store, parameters: { event }, refuse }) => {
    if (!isEvent(event)) throw refuse('unknownEvent', { event })
    if (store.run(`DELETE FROM subscriptions WHERE ${IS_LINKED_SQL} AND event = ?`, store.linkedLocations, event) === 0)
      throw refuse('noSubscription', { event })
    dropDeliveries(store, event)
    return { status: 200, body: { event, locationId: store.venue.id } }
  },
} satisfies Partial<Handlers>

function isEvent(name: string): boolean {
  return WEBHOOK_EVENTS.some((event) => event === name)
}

function findSubscription(store: Store, event: string): Row | undefined {
  return store.get('SELECT * FROM subscriptions WHERE location = ? AND event = ?', store.venue.id, event)
}

/**
 * Subscribes all of the app's venues, because the request does not contain a venue. This is an assumption: the
 * specification does not say.
 */
function subscribe(store: Store, event: string, url: string, key: string | null, token: string | null): void {
  for (const { id } of store.venues)
    store.run('INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?)', event, id, url, key, token)
}

function readHttpHost(text: string): string | null {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.hostname : null
}

/**
 * Whether the URL for a gift card event fails verification. The real service calls the URL. The sandbox works offline,
 * so it rejects only hosts that cannot exist.
 */
function failsVerification(event: string, url: string): boolean {
  return event.startsWith('GIFTCARDS_') && readHttpHost(url)?.endsWith('.invalid') === true
}

function toResult(store: Store, event: string, webhookUrl: string): Record<string, unknown> {
  return { event, webhookUrl, locationId: store.venue.id, errorMessage: '' }
}

function toSubscription(row: Row): Record<string, unknown> {
  return {
    event: row['event'],
    webhookUrl: row['url'],
    locationId: row['location'],
    authenticationEnabled: row['security_key'] !== null || row['security_token'] !== null,
  }
}
