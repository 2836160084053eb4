import { usageFailure } from '../../base/failure/failure.ts'
import type { JsonValue } from '../../base/json/exact.ts'
import type { Endpoint, PathParameter } from '../../contract/endpoint.ts'
import { PATH_ID_PATTERN } from '../../contract/shapes/scalars.ts'
import type { WireRequest } from '../../http/transport.ts'
import type { DialectTranslator } from '../shapes/dialect-translator.ts'

export interface CallInput<E extends Endpoint = Endpoint> {
  readonly path?: { readonly [K in PathParameter<E['path']>]: string }
  /** Query parameters. Parameters that are `undefined` are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Query parameters that are sent after those in `query`. Names may repeat. */
  readonly extraQuery?: readonly (readonly [name: string, value: string])[]
  /** The body, which is sent as JSON. `undefined` if there is none. */
  readonly body?: JsonValue | undefined
  /** The exact bytes to send instead of `body`. */
  readonly bytes?: Uint8Array | undefined
  /** Raw query text that is sent unchanged, before the parameters in `query`. */
  readonly search?: string | undefined
  /** Additional headers, which override default headers with the same name. Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Builds the request for a call, without the API key. Throws USAGE for an ID that cannot be part of a path. */
export function prepare<E extends Endpoint>(
  endpoint: E,
  asked: CallInput<E>,
  { baseUrl, translator }: { readonly baseUrl: URL; readonly translator?: DialectTranslator },
): WireRequest {
  const input = translator ? translator.translateInput(asked) : asked
  const path = fillPath(endpoint, input.path ?? {})
  const url = new URL(baseUrl)
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path
  const query = [
    ...Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
    ...(input.extraQuery ?? []),
  ]
  const encoded = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  url.search = (input.search ? [input.search, ...encoded] : encoded).join('&')
  const body = input.bytes ?? (input.body === undefined ? null : Buffer.from(JSON.stringify(input.body)))
  const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
  return { method: endpoint.method, url, headers: { accept: 'application/json', ...type, ...input.headers }, body }
}

/** Fills in the parameters of an endpoint's path. Throws USAGE for an ID that cannot be part of a path. */
export function fillPath(endpoint: Endpoint, values: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || !PATH_ID_PATTERN.test(value))
      throw usageFailure(
        [`${JSON.stringify(value ?? '')} is not an ID: ${name} must be 1 to 128 letters, digits or . _ : ~ -`],
        'copy the ID from the output of a list command; nothing was sent',
      )
    return value
  })
}
