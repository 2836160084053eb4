import type { Endpoint, Method } from '../../contract/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../contract/endpoints.ts'

interface Route {
  readonly id: EndpointId
  readonly endpoint: Endpoint
  /** The template's segments; null stands for a parameter. */
  readonly segments: readonly (string | null)[]
  readonly names: readonly string[]
}

/** Where a request leads. */
export type Destination =
  | {
      readonly kind: 'endpoint'
      readonly id: EndpointId
      readonly endpoint: Endpoint
      readonly parameters: Record<string, string>
    }
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

let routes: readonly Route[] | undefined

/** Finds the endpoint of a request. Paths are matched in the case written; a literal segment wins over a parameter. */
export function route(method: string, path: string): Destination {
  routes ??= compile()
  const parts = path.split('/').slice(1)
  const matches = routes.filter((candidate) => matchesPath(candidate, parts))
  const match = matches.find((candidate) => candidate.endpoint.method === (method as Method))
  if (match) return { kind: 'endpoint', id: match.id, endpoint: match.endpoint, parameters: parametersOf(match, parts) }
  if (matches.length === 0) return { kind: 'unknown' }
  return { kind: 'other-method', allowed: [...new Set(matches.map((candidate) => candidate.endpoint.method))] }
}

function compile(): Route[] {
  const all = Object.entries(ENDPOINTS).map(([id, endpoint]) => {
    const segments = endpoint.path.split('/').slice(1)
    return {
      id: id as EndpointId,
      endpoint: endpoint as Endpoint,
      segments: segments.map((segment) => (segment.startsWith('{') ? null : segment)),
      names: segments.map((segment) => segment.slice(1, -1)),
    }
  })
  return all.sort((a, b) => countParameters(a) - countParameters(b))
}

function countParameters(candidate: Route): number {
  return candidate.segments.filter((segment) => segment === null).length
}

function matchesPath(candidate: Route, parts: readonly string[]): boolean {
  return (
    candidate.segments.length === parts.length &&
    candidate.segments.every((segment, at) => (segment === null ? parts[at] !== '' : segment === parts[at]))
  )
}

function parametersOf(match: Route, parts: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [at, segment] of match.segments.entries()) {
    if (segment === null) parameters[match.names[at] ?? ''] = decoded(parts[at] ?? '')
  }
  return parameters
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
