import { isLoopback } from '../../../http/loopback.ts'
import { hasUser, urlProblem } from '../../../webhooks/subscriptions/checks.ts'
import type { Problems } from '../problems.ts'

/** Reads the URL of a receiver, or adds a problem. Does not echo one with a password. */
export function parseReceiverUrl(typed: string, flag: string, problems: Problems): URL | undefined {
  const problem = urlProblem(typed, flag)
  if (problem === null) return new URL(typed)
  const hint = 'use --security-key for what deliveries must carry; nothing was sent'
  problems.add(problem, hasUser(typed) ? hint : undefined)
  return undefined
}

/** Reads the URL that this machine posts to. Credentials need https, except on this machine. */
export function parseTargetUrl(typed: string, flag: string, hasCredentials: boolean, problems: Problems) {
  const url = parseReceiverUrl(typed, flag, problems)
  if (url?.protocol !== 'http:' || !hasCredentials || isLoopback(url.hostname)) return url
  problems.add(
    `${flag} must use https: plain http to ${url.hostname} would show the credentials to everyone on the way`,
    'plain http with credentials is accepted only for 127.0.0.1, [::1] and localhost; nothing was sent',
  )
  return undefined
}
