import { usageFailure } from '../../../failure/failure.ts'

/** Reads the URL of a receiver of deliveries. One with a password in it is not echoed. Fails: USAGE. */
export function parseReceiverUrl(text: string, flag: string): URL {
  const authority = /\/\/([^/?#]*)/.exec(text)?.[1] ?? text
  if (authority.includes('@')) throw usageFailure([`${flag} must not contain a user name or password`])
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null
  if (url) return url
  throw usageFailure([`${flag} must be an absolute http or https URL, not ${JSON.stringify(text)}`])
}
