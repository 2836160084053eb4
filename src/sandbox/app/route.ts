import { endpointsAt, type Match } from '../../contract/paths.ts'

/** Where a request leads. */
export type Destination =
  | ({ readonly kind: 'endpoint' } & Match)
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

/** Finds the endpoint of a request. */
export function route(method: string, path: string): Destination {
  const matches = endpointsAt(path)
  const match = matches.find(({ endpoint }) => endpoint.method === method)
  if (match) return { kind: 'endpoint', ...match }
  if (matches.length === 0) return { kind: 'unknown' }
  return { kind: 'other-method', allowed: [...new Set(matches.map(({ endpoint }) => endpoint.method))] }
}
