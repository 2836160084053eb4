import type { Method } from '../../contract/endpoint.ts'
import { isParameter, splitPath } from '../../contract/paths.ts'

/**
 * A pattern for requests, such as `GET /GiftCards/{cardNumber}`, `* /Bookings/*` or `*`. If `segments` is `null`, any
 * path matches.
 */
export type EndpointPattern = NonNullable<ReturnType<typeof readPattern>>

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Parses a pattern. Returns `null` if the text is neither `*` nor a method and a path. */
export function readPattern(text: string) {
  const [method = '', path = '', ...rest] = text.trim().split(/\s+/)
  if (method === '*' && path === '') return { method, segments: null }
  const known = method === '*' || METHODS.includes(method.toUpperCase() as Method)
  if (rest.length > 0 || !known || !(path.startsWith('/') || path === '*')) return null
  return { method: method.toUpperCase(), segments: path === '*' ? null : splitPath(path) }
}

/** Whether a pattern matches an endpoint's path template, or at least some of the paths that the template covers. */
export function matchesEndpoint(pattern: EndpointPattern, method: string, template: string): boolean {
  return matchesPattern(pattern, method, template, (expected, segment) =>
    isParameter(segment) ? expected !== '' : expected === segment || expected === '*',
  )
}

/** Whether a pattern matches a request, by its actual path or by its endpoint's path template. */
export function matchesRequest(pattern: EndpointPattern, method: string, template: string, path: string): boolean {
  const isSame = (expected: string, segment: string) =>
    expected === '*' || expected === segment || (isParameter(expected) && isParameter(segment))
  return matchesPattern(pattern, method, template, isSame) || matchesPattern(pattern, method, path, isSame)
}

type Matches = (expected: string, segment: string) => boolean

function matchesPattern(pattern: EndpointPattern, method: string, path: string, matches: Matches): boolean {
  if (pattern.method !== '*' && pattern.method !== method) return false
  if (pattern.segments === null) return true
  const segments = splitPath(path)
  if (pattern.segments.length !== segments.length) return false
  return pattern.segments.every((expected, at) => matches(expected, segments[at] ?? ''))
}
