import { findEndpoints, isParameter, splitPath } from '../../../../contract/paths.ts'
import type { MemberKind } from './members.ts'

/** What a URL is cleaned with. */
export interface Cleaning {
  /** A value of which is known what it is. */
  readonly value: (kind: MemberKind, text: string) => string
  /** The name of a member, or of a parameter. */
  readonly name: (name: string) => string
  readonly kindOf: (parameter: string) => MemberKind
  readonly hasName: (text: string) => boolean
}

const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d+)?$/i
/** A word such as `/api/v1` has, and no token. */
const PLAIN_SEGMENT = /^(?:[A-Za-z][a-z_-]{0,23}|v\d{1,3})$/

/**
 * A URL or a path: its host stays, and what the contract has of its path and its query; IDs and card numbers in it are taken
 * through the door. User names, passwords and fragments go.
 */
export function cleanUrl(text: string, cleaning: Cleaning): string {
  let url: URL
  try {
    url = new URL(text, 'http://relative.invalid')
  } catch {
    return gone(text)
  }
  const isRelative = url.host === 'relative.invalid'
  if (!/^(?:https?|wss?):$/.test(url.protocol)) return gone(text)
  const origin = isRelative ? '' : `${url.protocol}//${HOST.test(url.host) ? url.host : gone(url.host)}`
  return origin + cleanPath(url.pathname, cleaning) + cleanQuery(url.searchParams, cleaning)
}

function cleanPath(path: string, cleaning: Cleaning): string {
  const segments = path.split('/').slice(1)
  for (let from = 0; from < segments.length; from++) {
    const [found] = findEndpoints(`/${segments.slice(from).join('/')}`)
    if (!found) continue
    const before = segments.slice(0, from).map((segment) => cleanSegment(segment, cleaning))
    const inside = splitPath(found.endpoint.path).map((segment, at) => {
      if (!isParameter(segment)) return segments[from + at] ?? segment
      const name = segment.slice(1, -1)
      const value = found.parameters[name] ?? ''
      return inPath(
        name === 'partnerName' ? cleanSegment(value, cleaning) : cleaning.value(cleaning.kindOf(name), value),
      )
    })
    return `/${[...before, ...inside].join('/')}`
  }
  return `/${segments.map((segment) => cleanSegment(segment, cleaning)).join('/')}`
}

/** A segment that no endpoint has: a plain word stays, and what could be a token or somebody's name goes. */
function cleanSegment(segment: string, cleaning: Cleaning): string {
  return segment === '' || (PLAIN_SEGMENT.test(segment) && !cleaning.hasName(segment)) ? segment : gone(segment)
}

function cleanQuery(query: URLSearchParams, cleaning: Cleaning): string {
  const cleaned = [...query].map(([name, value]): [string, string] => {
    const kept = /^Include\w+$/.test(name) && /^(?:true|false)$/i.test(value)
    return [cleaning.name(name), kept ? value : inPath(cleaning.value(cleaning.kindOf(name), value))]
  })
  return cleaned.length === 0 ? '' : `?${new URLSearchParams(cleaned)}`
}

/** What was dropped, in a form that needs no escapes. */
function inPath(text: string): string {
  return text.startsWith('[dropped:') ? `dropped-${/\d+/.exec(text)?.[0] ?? 0}-characters` : text
}

function gone(text: string): string {
  return `dropped-${text.length}-characters`
}
