import { findEndpoints, isParameter, splitPath } from '../../../../contract/paths.ts'
import type { Known } from './known.ts'
import { kindOf, type MemberKind } from './members.ts'

/** The part of a {@link Door} that is needed to clean URLs. */
interface Cleaner {
  readonly known: Pick<Known, 'hasNameIn'>
  nameOf(name: string, form: RegExp): string
  text(kind: MemberKind, text: string): string
}

/** A parameter name as services define it, unlike text that a user typed. */
const PARAMETER_NAME = /^[A-Za-z]{1,40}$/
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d+)?$/i
/** A plain word or version, as in `/api/v1`, but not a token. */
const PLAIN_SEGMENT = /^(?:[A-Za-z][a-z_-]{0,23}|v\d{1,3})$/

/**
 * Cleans a URL or a path. Keeps the host and the parts of path and query that the contract defines, cleans IDs and card
 * numbers, and drops user names, passwords and fragments.
 */
export function cleanUrl(text: string, door: Cleaner): string {
  let url: URL
  try {
    url = new URL(text, 'http://relative.invalid')
  } catch {
    return gone(text)
  }
  const isRelative = url.host === 'relative.invalid'
  if (!/^(?:https?|wss?):$/.test(url.protocol)) return gone(text)
  const origin = isRelative ? '' : `${url.protocol}//${HOST.test(url.host) ? url.host : gone(url.host)}`
  return origin + cleanPath(url.pathname, door) + cleanQuery(url.searchParams, door)
}

function cleanPath(path: string, door: Cleaner): string {
  const segments = path.split('/').slice(1)
  for (let from = 0; from < segments.length; from++) {
    const [found] = findEndpoints(`/${segments.slice(from).join('/')}`)
    if (!found) continue
    const before = segments.slice(0, from).map((segment) => cleanSegment(segment, door))
    const inside = splitPath(found.endpoint.path).map((segment, at) => {
      if (!isParameter(segment)) return segments[from + at] ?? segment
      const name = segment.slice(1, -1)
      const value = found.parameters[name] ?? ''
      return inPath(name === 'partnerName' ? cleanSegment(value, door) : door.text(kindOf(name, ''), value))
    })
    return `/${[...before, ...inside].join('/')}`
  }
  return `/${segments.map((segment) => cleanSegment(segment, door)).join('/')}`
}

/** Cleans a path segment that the contract does not define. Keeps plain words; drops possible tokens and names. */
function cleanSegment(segment: string, door: Cleaner): string {
  return segment === '' || (PLAIN_SEGMENT.test(segment) && !door.known.hasNameIn(segment)) ? segment : gone(segment)
}

function cleanQuery(query: URLSearchParams, door: Cleaner): string {
  const cleaned = [...query].map(([name, value]): [string, string] => {
    const kept = /^Include\w+$/.test(name) && /^(?:true|false)$/i.test(value)
    return [door.nameOf(name, PARAMETER_NAME), kept ? value : inPath(door.text(kindOf(name, ''), value))]
  })
  return cleaned.length === 0 ? '' : `?${new URLSearchParams(cleaned)}`
}

/** Rewrites a `[dropped: …]` marker so that it needs no URL escapes. */
function inPath(text: string): string {
  return text.startsWith('[dropped:') ? `dropped-${/\d+/.exec(text)?.[0] ?? 0}-characters` : text
}

function gone(text: string): string {
  return `dropped-${text.length}-characters`
}
