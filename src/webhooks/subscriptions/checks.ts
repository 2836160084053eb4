import { findNearest } from '../../base/failure/nearest.ts'
import { parseEventName, WEBHOOK_EVENTS } from '../../contract/events.ts'

/**
 * Describes what is wrong with an event name and suggests a similar one. Appends `otherwise` if none is similar.
 * Returns `null` if the event is known. Ignores case.
 */
export function eventProblem(typed: string, otherwise = ''): string | null {
  if (parseEventName(typed) !== null) return null
  const near = findNearest(typed.toUpperCase(), WEBHOOK_EVENTS)
  return `unknown event ${JSON.stringify(typed)}${near ? `; did you mean ${near}?` : otherwise}`
}

/**
 * Describes what is wrong with a delivery URL. Returns `null` if it is valid. Never shows a URL that contains a
 * password.
 */
export function urlProblem(typed: string, name: string): string | null {
  if (hasUser(typed)) return `${name} must not contain a user name or password`
  const url = /^https?:\/\/[^\s\\]+$/i.test(typed) ? URL.parse(typed) : null
  return url ? null : `${name} must be an absolute http or https URL, not ${JSON.stringify(typed)}`
}

/** Returns whether a URL has a user name before the host. */
export function hasUser(typed: string): boolean {
  return (/\/\/([^/?#]*)/.exec(typed)?.[1] ?? typed).includes('@')
}
