import { findNearest } from '../../base/failure/nearest.ts'
import { eventNamed, WEBHOOK_EVENTS } from '../../contract/events.ts'

/** What is wrong with the name of an event, in any case; `null` if nothing is. `otherwise`: said if none is similar. */
export function eventProblem(typed: string, otherwise = ''): string | null {
  if (eventNamed(typed) !== null) return null
  const near = findNearest(typed.toUpperCase(), WEBHOOK_EVENTS)
  return `unknown event ${JSON.stringify(typed)}${near ? `; did you mean ${near}?` : otherwise}`
}

/** What is wrong with a URL that the service is to post to; null: nothing. One with a password in it is not echoed. */
export function urlProblem(typed: string, name: string): string | null {
  if (hasUser(typed)) return `${name} must not contain a user name or password`
  const url = /^https?:\/\/[^\s\\]+$/i.test(typed) ? URL.parse(typed) : null
  return url ? null : `${name} must be an absolute http or https URL, not ${JSON.stringify(typed)}`
}

/** Whether a URL names a user, and perhaps a password, before its host. */
export function hasUser(typed: string): boolean {
  return (/\/\/([^/?#]*)/.exec(typed)?.[1] ?? typed).includes('@')
}
