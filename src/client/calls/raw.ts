import type { Endpoint, Method } from '../../contract/endpoint.ts'
import { findEndpoints } from '../../contract/paths.ts'
import { isJsonType, readBody } from '../response-body.ts'
import type { Caller } from './caller.ts'
import type { CallContext } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type SendOptions, send } from './send.ts'
import { rejectFailure } from './success.ts'

/** A response in any format, with either `bytes` or a `body` that has not been read yet. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | null
  readonly body: AsyncIterable<Uint8Array> | null
  /** The text of the body if it has been read and is JSON, otherwise `null`. */
  readonly json: string | null
  readonly endpoint: Endpoint
  readonly call: CallContext
}

export type RawOptions = Required<Pick<SendOptions, 'stream'>> & Pick<SendOptions, 'onFinal'>

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns the endpoint for a path, with that exact path instead of placeholders. If the contract has no such endpoint,
 * returns a new one, which is a write unless the method is GET, HEAD or OPTIONS.
 */
export function resolveEndpoint(method: string, path: string, isSigned: boolean): Endpoint {
  const known = findEndpoints(path).find(({ endpoint }) => endpoint.method === method)?.endpoint
  const unknown: Endpoint = {
    id: 'api',
    summary: '',
    method: method as Method,
    path,
    standing: 'assumed',
    source: '',
    auth: 'api-key',
    ...(READING_METHODS.has(method) ? { write: 'none' } : { write: 'once', answer: 'any' }),
    touches: [],
    responses: {},
    failures: {},
  }
  return { ...(known ?? unknown), path, auth: isSigned ? 'signature' : 'api-key' }
}

/**
 * Calls an endpoint whose response may have any format, including plain text. Throws any error from the request or from
 * `readBody`.
 */
export async function callRaw(caller: Caller, endpoint: Endpoint, input: CallInput, options: RawOptions) {
  const sent = await send(caller, endpoint, input, options)
  const { reply, call } = sent
  const { status, headers, body } = reply
  if (body !== null) return { status, headers, bytes: null, body, json: null, endpoint, call }
  const { text, value } = readBody(sent, true)
  if (endpoint.write !== 'none') rejectFailure({ value, call })
  const json = text !== '' && isJsonType(headers) ? text : null
  return { status, headers, bytes: reply.bytes ?? new Uint8Array(), body: null, json, endpoint, call }
}
