/**
 * The API keys that exist in every sandbox, one for each state that the specification documents ("API key"). They never
 * change, so tests can rely on them.
 */
export const SANDBOX_KEYS = {
  good: 'sandbox_key_harbour_and_vine',
  /** A key that does not belong to a partner app. The sandbox rejects it with `loggedInAppId is required`. */
  unknownApp: 'sandbox_key_unknown_app',
  /** A key whose app has no venue. The sandbox rejects it with `No Venue Subscribed to your App.` */
  unlinkedVenue: 'sandbox_key_unlinked_venue',
  /**
   * A key without a venue. The sandbox rejects it with `API key not associated with a venue` if the endpoint documents
   * that message. Otherwise, it rejects the key in the same way as `unlinkedVenue`.
   */
  noVenue: 'sandbox_key_no_venue',
} as const

/** The partner name in the paths of inbound endpoints. */
export const PARTNER_NAME = 'sandbox-pos'
export const SIGNATURE_HEADER = 'X-Partner-Signature'
/** The name of the signature header in lower case, as in the headers of a parsed request. */
export const LOWER_SIGNATURE_HEADER = 'x-partner-signature'
export const SIGNING_SECRET = 'sandbox_signing_secret_for_tests_only'
