import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS, type EndpointId } from './endpoints.ts'

/** An endpoint found by a path, with the values that the path has for its parameters, decoded. */
export interface Match {
  readonly id: EndpointId
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/** The parts of a path or template between its slashes. */
export function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

/** True for the segment of a template that stands for a parameter: `{id}`. */
export function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

let templates: ReadonlyMap<number, readonly Template[]> | undefined

/**
 * Finds the endpoints at a path, one for each method. Paths are matched in the case written, and a literal segment wins over a
 * parameter: `/Bookings/tables` is never the booking `tables`.
 */
export function endpointsAt(path: string): Match[] {
  templates ??= readTemplates()
  const segments = segmentsOf(path)
  const found: Match[] = []
  for (const template of templates.get(segments.length) ?? [])
    if (template.fits(segments)) found.push(template.match(segments))
  return found
}

function readTemplates(): Map<number, Template[]> {
  const all = Object.entries(ENDPOINTS).map(([id, endpoint]) => new Template(id as EndpointId, endpoint))
  const fewestParametersFirst = all.sort((a, b) => a.parameterCount - b.parameterCount)
  return Map.groupBy(fewestParametersFirst, ({ segments }) => segments.length)
}

class Template {
  readonly segments: readonly string[]
  readonly #id: EndpointId
  readonly #endpoint: Endpoint

  constructor(id: EndpointId, endpoint: Endpoint) {
    this.#id = id
    this.#endpoint = endpoint
    this.segments = segmentsOf(endpoint.path)
  }

  get parameterCount(): number {
    return this.segments.filter(isParameter).length
  }

  fits(path: readonly string[]): boolean {
    return this.segments.every((segment, at) => (isParameter(segment) ? path[at] !== '' : segment === path[at]))
  }

  match(path: readonly string[]): Match {
    const parameters: Record<string, string> = {}
    for (const [at, segment] of this.segments.entries())
      if (isParameter(segment)) parameters[segment.slice(1, -1)] = decoded(path[at] ?? '')
    return { id: this.#id, endpoint: this.#endpoint, parameters }
  }
}

/** A segment that is not valid percent-encoding is taken as it is written. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
