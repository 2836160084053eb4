import type { Endpoint, PathParameter } from '../contract/endpoint.ts'
import { PATH_ID_PATTERN } from '../contract/scalars.ts'
import { usageFailure } from '../failure/failure.ts'
import type { JsonValue } from '../json/exact.ts'
import type { WireRequest } from './transport.ts'

/** What a call of an endpoint is given. */
export interface CallInput<E extends Endpoint = Endpoint> {
  readonly path?: { readonly [K in PathParameter<E['path']>]: string }
  /** Absent and undefined members are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent after `query`, as they are. */
  readonly extraQuery?: readonly (readonly [name: string, value: string])[]
  /** Undefined: no body is sent. */
  readonly body?: JsonValue | undefined
}

/**
 * The request of a call, without a key.
 * Fails: USAGE, before anything is sent, when an id cannot stand in a path.
 */
export function prepare<E extends Endpoint>(endpoint: E, input: CallInput<E>, baseUrl: URL): WireRequest {
  const path = pathOf(endpoint, input.path ?? {})
  const url = new URL(baseUrl)
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path
  const query = [
    ...Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
    ...(input.extraQuery ?? []),
  ]
  url.search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  const headers: Record<string, string> = { accept: 'application/json' }
  if (input.body === undefined) return { method: endpoint.method, url, headers, body: null }
  headers['content-type'] = 'application/json'
  return { method: endpoint.method, url, headers, body: Buffer.from(JSON.stringify(input.body)) }
}

/** The path as the specification writes it, with its parameters filled in. Fails: USAGE for an id that cannot stand in a path. */
export function pathOf(endpoint: Endpoint, values: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || !PATH_ID_PATTERN.test(value))
      throw usageFailure(
        [`${JSON.stringify(value ?? '')} is not an id: ${name} is 1 to 128 letters, digits, and . _ : ~ -`],
        'ids are printed by the list commands; nothing was sent',
      )
    return value
  })
}
