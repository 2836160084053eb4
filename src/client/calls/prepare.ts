import type { Endpoint, PathParameter } from '../../contract/endpoint.ts'
import { PATH_ID_PATTERN } from '../../contract/shapes/scalars.ts'
import { usageFailure } from '../../failure/failure.ts'
import type { WireRequest } from '../../http/transport.ts'
import type { JsonValue } from '../../json/exact.ts'

/** What a call of an endpoint is given. */
export interface CallInput<E extends Endpoint = Endpoint> {
  readonly path?: { readonly [K in PathParameter<E['path']>]: string }
  /** Absent and undefined members are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent after `query`, as they are. */
  readonly extraQuery?: readonly (readonly [name: string, value: string])[]
  /** Undefined: no body is sent. */
  readonly body?: JsonValue | undefined
  /** A body as it is, in place of `body`. */
  readonly bytes?: Uint8Array | undefined
  /** The beginning of the query, as it is. */
  readonly search?: string | undefined
  /** Beside those that every request has, or in place of them; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * The request of a call, without a key.
 * Fails: USAGE, before anything is sent, when an ID cannot stand in a path.
 */
export function prepare<E extends Endpoint>(endpoint: E, input: CallInput<E>, baseUrl: URL): WireRequest {
  const path = fillPath(endpoint, input.path ?? {})
  const url = new URL(baseUrl)
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path
  const query = [
    ...Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
    ...(input.extraQuery ?? []),
  ]
  const written = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  url.search = (input.search ? [input.search, ...written] : written).join('&')
  const body = input.bytes ?? (input.body === undefined ? null : Buffer.from(JSON.stringify(input.body)))
  const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
  return { method: endpoint.method, url, headers: { accept: 'application/json', ...type, ...input.headers }, body }
}

/** The path as the specification writes it, with its parameters filled in. Fails: USAGE for an ID that cannot stand in a path. */
export function fillPath(endpoint: Endpoint, values: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || !PATH_ID_PATTERN.test(value))
      throw usageFailure(
        [`${JSON.stringify(value ?? '')} is not an ID: ${name} must be 1 to 128 letters, digits or . _ : ~ -`],
        'copy the ID from a list command; nothing was sent',
      )
    return value
  })
}
