import { isLoopback } from '../../../http/loopback.ts'
import { hasUser, urlProblem } from '../../../webhooks/subscriptions/checks.ts'
import type { Problems } from '../problems.ts'

/** Parses a receiver's URL. Adds a problem if it is invalid, but does not quote a URL that contains a password. */
export function parseReceiverUrl(typed: string, flag: string, problems: Problems): URL | undefined {
  const problem = urlProblem(typed, flag)
  if (problem === null) return new URL(typed)
  const hint = 'nothing was sent; use --security-key for a secret that deliveries must contain'
  problems.add(problem, hasUser(typed) ? hint : undefined)
  return undefined
}

/** Parses a URL that partner posts to. With credentials, the URL must use https, unless it points to this machine. */
export function parseTargetUrl(typed: string, flag: string, hasCredentials: boolean, problems: Problems) {
  const url = parseReceiverUrl(typed, flag, problems)
  if (url?.protocol !== 'http:' || !hasCredentials || isLoopback(url.hostname)) return url
  problems.add(
    `${flag} must use https: plain http to ${url.hostname} would expose the credentials on the network`,
    'nothing was sent; plain http with credentials is accepted only for 127.0.0.1, [::1] and localhost',
  )
  return undefined
}
