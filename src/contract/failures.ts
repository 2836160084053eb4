import { assumedRefusal, refusal } from './endpoint.ts'

/** The rejections that all endpoints with an API key have in common. Source: "Authentication", "Errors", "Limits". */
export const COMMON_FAILURES = {
  unauthorized: refusal(401, 'Unauthorized', {
    code: 'UNAUTHORIZED',
    hint: 'check the API key of this profile: partner profiles check',
  }),
  unknownApp: refusal(400, 'loggedInAppId is required', {
    code: 'UNKNOWN_APP',
    hint: 'no partner app in this environment has this key: check whether it is for the other environment (development or production); if not, ask the partner manager',
  }),
  venueNotLinked: refusal(400, 'No Venue Subscribed to your App.', {
    code: 'VENUE_NOT_LINKED',
    hint: 'the key is valid, but no venue is linked to its app: ask the partner manager to link the venue',
  }),
  rateLimited: refusal(429, 'You may only perform this action {count} times every {window} milliseconds', {
    code: 'RATE_LIMITED',
    hint: 'wait as long as the message says, then run the command again',
  }),
  requiredField: refusal(400, '{field} is required'),
} as const

/**
 * The response of the gift card, status and webhook endpoints if the API key has no venue. The exact words are assumed.
 */
export const keyWithoutVenue = assumedRefusal(400, 'API key not associated with a venue', {
  code: 'VENUE_NOT_LINKED',
  hint: COMMON_FAILURES.venueNotLinked.hint,
})

/** The service's response to an invalid time in a query. */
export const invalidDate = assumedRefusal(400, 'Invalid Date passed.')

/** The largest plausible rate limit. A message with a larger limit is damaged or did not come from the service. */
const MAX_PLAUSIBLE = { count: 10_000, windowMs: 86_400_000 }

/**
 * Parses the rate limit in a 429 message. Returns `null` if the message contains no plausible limit. Source: "Errors",
 * "Body shapes".
 */
export function parseRateLimit(message: string): { count: number; windowMs: number } | null {
  const match = /only perform this action (\d{1,9}) times every (\d{1,9}) milliseconds/.exec(message)
  const [count, windowMs] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)]
  const isPlausible = count > 0 && windowMs > 0 && count <= MAX_PLAUSIBLE.count && windowMs <= MAX_PLAUSIBLE.windowMs
  return isPlausible ? { count, windowMs } : null
}
