import { findNearest } from '../../base/failure/nearest.ts'
import { parseEventName, WEBHOOK_EVENTS } from '../../contract/events.ts'

/**
 * Returns the problem with the name of an event, or `null` if it is a known event in upper or lower case. `otherwise`
 * is appended if no known name is similar.
 */
export function eventProblem(typed: string, otherwise = ''): string | null {
  if (parseEventName(typed) !== null) return null
  const near = findNearest(typed.toUpperCase(), WEBHOOK_EVENTS)
  return `unknown event ${JSON.stringify(typed)}${near ? `; did you mean ${near}?` : otherwise}`
}

/** Returns the problem with a delivery URL, or `null` if it is valid. Never shows a URL with a password. */
export function urlProblem(typed: string, name: string): string | null {
  if (hasUser(typed)) return `${name} must not contain a user name or password`
  const url = /^https?:\/\/[^\s\\]+$/i.test(typed) ? URL.parse(typed) : null
  return url ? null : `${name} must be an absolute http or https URL, not ${JSON.stringify(typed)}`
}

/** Whether a URL has a user name before the host. */
export function hasUser(typed: string): boolean {
  return (/\/\/([^/?#]*)/.exec(typed)?.[1] ?? typed).includes('@')
}
