import { refusal } from './endpoint.ts'

/**
 * Refusals that every endpoint with an API key can give.
 * Source: "Authentication", "Errors", "Limits".
 */
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

/** Reads the limit out of the documented 429 message. Returns null when the message is another one. */
export function rateLimitIn(message: string): { count: number; windowMs: number } | null {
  const match = /only perform this action (\d{1,9}) times every (\d{1,9}) milliseconds/.exec(message)
  return match ? { count: Number(match[1]), windowMs: Number(match[2]) } : null
}
