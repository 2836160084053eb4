/**
 * Keys that open the sandbox and nothing else. They are fixed, so that a running sandbox and one-shot commands share them, and
 * nobody can take their names for real keys. There is one for each key state of the specification ("API key").
 */
export const SANDBOX_KEYS = {
  good: 'sandbox_key_harbour_and_vine',
  /** Resolves to no partner app: `loggedInAppId is required`. */
  unknownApp: 'sandbox_key_unknown_app',
  /** Its app has no venue: `No Venue Subscribed to your App.` */
  unlinkedVenue: 'sandbox_key_unlinked_venue',
  /** Endpoints that document it answer `API key not associated with a venue`; the others answer as for `unlinkedVenue`. */
  noVenue: 'sandbox_key_no_venue',
} as const

/** The slug in the paths of inbound endpoints. */
export const PARTNER_NAME = 'sandbox-pos'
/** The header that carries the signature of inbound requests. */
export const SIGNATURE_HEADER = 'X-Partner-Signature'
/** The secret that signs inbound requests. */
export const SIGNING_SECRET = 'sandbox_signing_secret_for_tests_only'
