import { createHmac } from 'node:crypto'
import { assumedRejection, type ExpectedResponse, reject } from '../expected-response.ts'
import type { Model } from '../state.ts'

/** The API keys that every sandbox accepts, keyed by the situation that each one simulates. */
export const KEYS = {
  good: 'sandbox_key_harbour_and_vine',
  wrong: 'sandbox_key_of_nobody',
  missing: null,
  unknownApp: 'sandbox_key_unknown_app',
  unlinkedVenue: 'sandbox_key_unlinked_venue',
  noVenue: 'sandbox_key_no_venue',
} as const
export type KeyName = keyof typeof KEYS

/** The endpoints for which "API key not associated with a venue" is documented. */
const KEY_WITHOUT_VENUE = new Set(['bookings.statuses', 'giftcards.get', 'webhooks.create'])

/** Returns a rejection if an API key is not valid, or `null` if the key is valid. Source: "API key". */
export function rejectKey(key: KeyName, endpoint: string): ExpectedResponse | null {
  switch (key) {
    case 'good':
      return null
    // The specification says "A missing or invalid key gives 401 with body {message} reading Unauthorized."
    case 'wrong':
    case 'missing':
      return reject(401, 'Unauthorized')
    // The specification says "A key that does not resolve to a known partner app gives 400 with the message
    // loggedInAppId is required."
    case 'unknownApp':
      return reject(400, 'loggedInAppId is required')
    // The specification says "A valid key whose venue is not linked to the app gives 400 with the message No Venue
    // Subscribed to your App."
    case 'unlinkedVenue':
      return reject(400, 'No Venue Subscribed to your App.')
    // The specification says "400 (API key not associated with a venue; …)". The exact message is an assumption.
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
 * The specification says "lowercase hex of HMAC-SHA256, keyed with the shared secret, over the request body text
 * concatenated with the request URL".
 */
export function signatureOf(kind: SignatureKind, body: string, url: string): string | null {
  if (kind === 'unsigned') return null
  const text = kind === 'otherBody' ? `${body} ` : body
  const secret = kind === 'otherSecret' ? `${PARTNER.secret}.` : PARTNER.secret
  return createHmac('sha256', secret)
    .update(text + (kind === 'pathAlone' ? new URL(url).pathname : url))
    .digest('hex')
}

/**
 * Returns a rejection if the signature of a request is not valid, or `null` if the signature is valid. Which rejections
 * the service sends is an assumption.
 */
export function rejectSignature(kind: SignatureKind, body: string | null): ExpectedResponse | null {
  if (body === null || body === '') return assumedRejection(400, 'Request body is empty.')
  return kind === 'right' ? null : assumedRejection(400, 'Invalid signature.')
}

/**
 * Counts a request and rejects it if it exceeds the rate limit. The specification says "Rate limits are enforced per
 * endpoint." The model assumes that they are also enforced per key, and before all other checks.
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
