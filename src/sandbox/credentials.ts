/** The keys of every sandbox: one for each documented state ("API key"). They are fixed, so that tests can use them. */
export const SANDBOX_KEYS = {
  good: 'sandbox_key_harbour_and_vine',
  /** Belongs to no partner app: `loggedInAppId is required`. */
  unknownApp: 'sandbox_key_unknown_app',
  /** Its app has no venue: `No Venue Subscribed to your App.` */
  unlinkedVenue: 'sandbox_key_unlinked_venue',
  /** Has no venue either: `API key not associated with a venue` where an endpoint documents that, else as `unlinkedVenue`. */
  noVenue: 'sandbox_key_no_venue',
} as const

/** The partner in the paths of inbound endpoints. */
export const PARTNER_NAME = 'sandbox-pos'
export const SIGNATURE_HEADER = 'X-Partner-Signature'
/** The header's name in parsed requests, which is in lower case. */
export const LOWER_SIGNATURE_HEADER = 'x-partner-signature'
export const SIGNING_SECRET = 'sandbox_signing_secret_for_tests_only'
