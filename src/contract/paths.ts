import { attempt } from '../base/attempt.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS, type EndpointId } from './endpoints.ts'

/** An endpoint that matches a path, with the decoded parameters of the path. */
export interface EndpointMatch {
  readonly id: EndpointId
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/** Alternative spellings of paths. Source: "POST /Reservations". */
const PATH_ALIASES: Readonly<Record<string, string>> = { '/resources/booking-statuses': '/Resources/booking-statuses' }

/** Splits a path or template into segments, after replacing an alternative spelling. */
export function splitPath(path: string): string[] {
  return (PATH_ALIASES[path] ?? path).split('/').slice(1)
}

export function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

let templates: ReadonlyMap<number, readonly Template[]> | undefined

/**
 * Returns the endpoints at a path, one for each method. Case matters. A literal segment takes precedence over a
 * parameter, so `/Bookings/tables` does not match `/Bookings/{id}`.
 */
export function findEndpoints(path: string): EndpointMatch[] {
  templates ??= readTemplates()
  const segments = splitPath(path)
  const found: EndpointMatch[] = []
  for (const template of templates.get(segments.length) ?? [])
    if (template.fits(segments)) found.push(template.match(segments))
  return found
}

function readTemplates(): Map<number, Template[]> {
  const all = Object.entries(ENDPOINTS).map(([id, endpoint]) => new Template(id as EndpointId, endpoint))
  for (const template of all) template.reserveLiterals(all)
  const fewestParametersFirst = all.sort((a, b) => a.parameterCount - b.parameterCount)
  return Map.groupBy(fewestParametersFirst, ({ segments }) => segments.length)
}

class Template {
  readonly segments: readonly string[]
  readonly #id: EndpointId
  readonly #endpoint: Endpoint
  /** For each segment, a map from known literals in lower case to their exact spelling. */
  #literals: readonly ReadonlyMap<string, string>[] = []

  constructor(id: EndpointId, endpoint: Endpoint) {
    this.#id = id
    this.#endpoint = endpoint
    this.segments = splitPath(endpoint.path)
  }

  get parameterCount(): number {
    return this.segments.filter(isParameter).length
  }

  /** Prevents a parameter from matching a literal that differs only in case. */
  reserveLiterals(all: readonly Template[]): void {
    this.#literals = this.segments.map((_segment, at) => {
      const before = this.segments.slice(0, at).join('/')
      const siblings = all.filter(({ segments }) => segments.slice(0, at).join('/') === before)
      const literals = siblings.flatMap(({ segments }) =>
        segments.length === this.segments.length ? (segments[at] ?? []) : [],
      )
      return new Map(literals.map((literal) => [literal.toLowerCase(), literal]))
    })
  }

  fits(path: readonly string[]): boolean {
    return this.segments.every((segment, at) => {
      const given = path[at] ?? ''
      if (!isParameter(segment)) return segment === given
      return given !== '' && (this.#literals[at]?.get(given.toLowerCase()) ?? given) === given
    })
  }

  match(path: readonly string[]): EndpointMatch {
    const parameters: Record<string, string> = {}
    for (const [at, segment] of this.segments.entries()) {
      const given = path[at] ?? ''
      // A value with invalid percent-encoding is left unchanged.
      if (isParameter(segment)) parameters[segment.slice(1, -1)] = attempt(() => decodeURIComponent(given), given)
    }
    return { id: this.#id, endpoint: this.#endpoint, parameters }
  }
}
