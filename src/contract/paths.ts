import { attempt } from '../base/attempt.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS, type EndpointId } from './endpoints.ts'

/** An endpoint, and the decoded values of its path parameters. */
export interface EndpointMatch {
  readonly id: EndpointId
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/** Alternative spellings of paths. Source: "POST /Reservations". */
const ALSO_WRITTEN: Readonly<Record<string, string>> = { '/resources/booking-statuses': '/Resources/booking-statuses' }

/** Splits a path or template at its slashes, and normalizes alternative spellings. */
export function splitPath(path: string): string[] {
  return (ALSO_WRITTEN[path] ?? path).split('/').slice(1)
}

export function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

let templates: ReadonlyMap<number, readonly Template[]> | undefined

/** Finds the endpoints at a path, one per method. Case matters, and literals win: `/Bookings/tables` is no booking. */
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
  /** The literals of endpoints at each segment, by lower case. */
  #literals: readonly ReadonlyMap<string, string>[] = []

  constructor(id: EndpointId, endpoint: Endpoint) {
    this.#id = id
    this.#endpoint = endpoint
    this.segments = splitPath(endpoint.path)
  }

  get parameterCount(): number {
    return this.segments.filter(isParameter).length
  }

  /** Prevents parameters from matching a literal in another case. */
  reserveLiterals(all: readonly Template[]): void {
    this.#literals = this.segments.map((_segment, at) => {
      const before = this.segments.slice(0, at).join('/')
      const beside = all.filter(({ segments }) => segments.slice(0, at).join('/') === before)
      const literals = beside.flatMap(({ segments }) =>
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
      // Invalid percent-encoding stays as it is.
      if (isParameter(segment)) parameters[segment.slice(1, -1)] = attempt(() => decodeURIComponent(given), given)
    }
    return { id: this.#id, endpoint: this.#endpoint, parameters }
  }
}
