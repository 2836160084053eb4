import { findEndpoints, isParameter, splitPath } from '../../../../contract/paths.ts'
import { kindOf, type MemberKind } from './members.ts'
import type { SensitiveData } from './sensitive-data.ts'

/** The part of a {@link Cleaner} that is needed to clean URLs. */
interface UrlCleaner {
  readonly known: Pick<SensitiveData, 'hasNameIn'>
  nameOf(name: string, form: RegExp): string
  text(kind: MemberKind, text: string): string
}

/** Matches a name that a service could have given to a parameter, but not text that a user typed. */
const PARAMETER_NAME = /^[A-Za-z]{1,40}$/
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d+)?$/i
/** Matches a plain word or a version, as in `/api/v1`, but not a token. */
const PLAIN_SEGMENT = /^(?:[A-Za-z][a-z_-]{0,23}|v\d{1,3})$/

/**
 * Cleans a URL or a path. Keeps the host, and the parts of the path and query that the contract defines. Cleans IDs and
 * card numbers. Drops user names, passwords and fragments.
 */
export function cleanUrl(text: string, cleaner: UrlCleaner): string {
  let url: URL
  try {
    url = new URL(text, 'http://relative.invalid')
  } catch {
    return droppedSegment(text)
  }
  const isRelative = url.host === 'relative.invalid'
  if (!/^(?:https?|wss?):$/.test(url.protocol)) return droppedSegment(text)
  const origin = isRelative ? '' : `${url.protocol}//${HOST.test(url.host) ? url.host : droppedSegment(url.host)}`
  return origin + cleanPath(url.pathname, cleaner) + cleanQuery(url.searchParams, cleaner)
}

function cleanPath(path: string, cleaner: UrlCleaner): string {
  const segments = path.split('/').slice(1)
  for (let from = 0; from < segments.length; from++) {
    const [found] = findEndpoints(`/${segments.slice(from).join('/')}`)
    if (!found) continue
    const before = segments.slice(0, from).map((segment) => cleanSegment(segment, cleaner))
    const inside = splitPath(found.endpoint.path).map((segment, at) => {
      if (!isParameter(segment)) return segments[from + at] ?? segment
      const name = segment.slice(1, -1)
      const value = found.parameters[name] ?? ''
      return urlMarker(name === 'partnerName' ? cleanSegment(value, cleaner) : cleaner.text(kindOf(name, ''), value))
    })
    return `/${[...before, ...inside].join('/')}`
  }
  return `/${segments.map((segment) => cleanSegment(segment, cleaner)).join('/')}`
}

/** Cleans a path segment that the contract does not define. Keeps plain words and drops possible tokens and names. */
function cleanSegment(segment: string, cleaner: UrlCleaner): string {
  return segment === '' || (PLAIN_SEGMENT.test(segment) && !cleaner.known.hasNameIn(segment))
    ? segment
    : droppedSegment(segment)
}

function cleanQuery(query: URLSearchParams, cleaner: UrlCleaner): string {
  const cleaned = [...query].map(([name, value]): [string, string] => {
    const kept = /^Include\w+$/.test(name) && /^(?:true|false)$/i.test(value)
    return [cleaner.nameOf(name, PARAMETER_NAME), kept ? value : urlMarker(cleaner.text(kindOf(name, ''), value))]
  })
  return cleaned.length === 0 ? '' : `?${new URLSearchParams(cleaned)}`
}

/** Rewrites a `[dropped: …]` marker so that it needs no escaping in a URL. */
function urlMarker(text: string): string {
  return text.startsWith('[dropped:') ? `dropped-${/\d+/.exec(text)?.[0] ?? 0}-characters` : text
}

function droppedSegment(text: string): string {
  return `dropped-${text.length}-characters`
}
