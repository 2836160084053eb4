import { createHmac } from 'node:crypto'
import { assumedRejection, type ExpectedResponse, reject } from '../expected-response.ts'
import type { Model } from '../state.ts'

/** The API keys of every sandbox, by the state that they represent. */
export const KEYS = {
  good: 'sandbox_key_harbour_and_vine',
  wrong: 'sandbox_key_of_nobody',
  missing: null,
  unknownApp: 'sandbox_key_unknown_app',
  unlinkedVenue: 'sandbox_key_unlinked_venue',
  noVenue: 'sandbox_key_no_venue',
} as const
export type KeyName = keyof typeof KEYS

/** The endpoints that document "API key not associated with a venue". */
const KEY_WITHOUT_VENUE = new Set(['bookings.statuses', 'giftcards.get', 'webhooks.create'])

/** Returns the rejection of a key, or `null` if the key is valid. Source: "API key". */
export function rejectKey(key: KeyName, endpoint: string): ExpectedResponse | null {
  switch (key) {
    case 'good':
      return null
    // "A missing or invalid key gives 401 with body {message} reading Unauthorized."
    case 'wrong':
    case 'missing':
      return reject(401, 'Unauthorized')
    // "A key that does not resolve to a known partner app gives 400 with the message loggedInAppId is required."
    case 'unknownApp':
      return reject(400, 'loggedInAppId is required')
    // "A valid key whose venue is not linked to the app gives 400 with the message No Venue Subscribed to your App."
    case 'unlinkedVenue':
      return reject(400, 'No Venue Subscribed to your App.')
    // "400 (API key not associated with a venue; …)". The exact message is assumed.
    case 'noVenue':
      return KEY_WITHOUT_VENUE.has(endpoint)
        ? assumedRejection(400, 'API key not associated with a venue')
        : reject(400, 'No Venue Subscribed to your App.')
  }
}

export const PARTNER = {
  name: 'sandbox-pos',
  header: 'X-Partner-Signature',
  secret: 'sandbox_signing_secret_for_tests_only',
} as const

export type SignatureKind = 'right' | 'otherSecret' | 'otherBody' | 'pathAlone' | 'unsigned' | 'otherPartner'

/**
 * "lowercase hex of HMAC-SHA256, keyed with the shared secret, over the request body text concatenated with the request
 * URL"
 */
export function signatureOf(kind: SignatureKind, body: string, url: string): string | null {
  if (kind === 'unsigned') return null
  const text = kind === 'otherBody' ? `${body} ` : body
  const secret = kind === 'otherSecret' ? `${PARTNER.secret}.` : PARTNER.secret
  return createHmac('sha256', secret)
    .update(text + (kind === 'pathAlone' ? new URL(url).pathname : url))
    .digest('hex')
}

/** Returns the rejection of a signed request, or `null` if its signature is valid. Both rejections are assumed. */
export function rejectSignature(kind: SignatureKind, body: string | null): ExpectedResponse | null {
  if (body === null || body === '') return assumedRejection(400, 'Request body is empty.')
  return kind === 'right' ? null : assumedRejection(400, 'Invalid signature.')
}

/**
 * Counts a request, and rejects it if it exceeds the limit. "Rate limits are enforced per endpoint." Assumed: and per
 * key, before all other checks.
 */
export function rejectOverLimit({ limit }: Model, endpoint: string, key: string): ExpectedResponse | null {
  if (limit === null) return null
  const name = `${endpoint} ${key}`
  const count = (limit.counts.get(name) ?? 0) + 1
  limit.counts.set(name, count)
  if (count <= limit.count) return null
  const message = `You may only perform this action ${limit.count} times every ${limit.windowMs} milliseconds`
  return reject(429, message)
}
