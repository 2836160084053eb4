import { assumedRefusal, refusal } from './endpoint.ts'

/** Refusals of every endpoint with an API key. Source: "Authentication", "Errors", "Limits". */
export const COMMON_FAILURES = {
  unauthorized: refusal(401, 'Unauthorized', {
    code: 'UNAUTHORIZED',
    hint: 'check the API key of this profile: partner profiles check',
  }),
  unknownApp: refusal(400, 'loggedInAppId is required', {
    code: 'UNKNOWN_APP',
    hint: 'the key belongs to no partner app here: is it for the other environment (development or production)? ask the partner manager',
  }),
  venueNotLinked: refusal(400, 'No Venue Subscribed to your App.', {
    code: 'VENUE_NOT_LINKED',
    hint: 'the key is good, but no venue is linked to its app: ask the partner manager to link the venue',
  }),
  rateLimited: refusal(429, 'You may only perform this action {count} times every {window} milliseconds', {
    code: 'RATE_LIMITED',
    hint: 'wait for the window that the message names, then run the command again',
  }),
  requiredField: refusal(400, '{field} is required'),
} as const

/** A key without a venue, for the gift card, status and webhook endpoints. The exact words are assumed. */
export const keyWithoutVenue = assumedRefusal(400, 'API key not associated with a venue', {
  code: 'VENUE_NOT_LINKED',
  hint: COMMON_FAILURES.venueNotLinked.hint,
})

/** The refusal of a time in a query. */
export const invalidDate = assumedRefusal(400, 'Invalid Date passed.')

/** The largest plausible limit: a message with a larger one is damaged, or not the service's. */
const LARGEST_BELIEVED = { count: 10_000, windowMs: 86_400_000 }

/** Reads the limit of a 429 message. Null for others and implausible limits. Source: "Errors", "Body shapes". */
export function parseRateLimit(message: string): { count: number; windowMs: number } | null {
  const match = /only perform this action (\d{1,9}) times every (\d{1,9}) milliseconds/.exec(message)
  const [count, windowMs] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)]
  const isBelievable =
    count > 0 && windowMs > 0 && count <= LARGEST_BELIEVED.count && windowMs <= LARGEST_BELIEVED.windowMs
  return isBelievable ? { count, windowMs } : null
}
