import type { Endpoint, Method } from '../../contract/endpoint.ts'
import { findEndpoints } from '../../contract/paths.ts'
import { parseExact } from '../../json/exact.ts'
import { readJsonText } from '../../json/json-text.ts'
import type { Caller } from './caller.ts'
import { type CallContext, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type SendOptions, type Sent, send } from './send.ts'
import { rejectFailure } from './success.ts'

/** An answer of any shape. Its body is either read (`bytes`) or still to be read (`body`). */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body; null: not read yet. */
  readonly bytes: Uint8Array | null
  /** The body, to be read; null: already read. */
  readonly body: AsyncIterable<Uint8Array> | null
  /** The body as text when it was read and is JSON, else null. */
  readonly json: string | null
  readonly endpoint: Endpoint
  readonly call: CallContext
}

export type RawOptions = Required<Pick<SendOptions, 'stream'>> & Pick<SendOptions, 'onFinal'>

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Finds the contract's endpoint for a method and a path, with its refusals and rules. For one that the contract lacks, only
 * the method tells whether it reads or writes.
 * @param path as it is sent, below the base URL.
 */
export function resolveEndpoint(method: string, path: string, isSigned: boolean): Endpoint {
  const known = findEndpoints(path).find(({ endpoint }) => endpoint.method === method)?.endpoint
  const unknown: Endpoint = {
    id: 'api',
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
 * Calls an endpoint and returns its answer, whatever shape it has.
 * Fails: as `call`; for an answer that claims to be JSON and is not, SERVICE_ERROR, or OUTCOME_UNKNOWN after a write whose
 * answer is documented.
 */
export async function callRaw<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: RawOptions,
): Promise<RawAnswer> {
  const { reply, call } = await send(caller, endpoint, input, options)
  const { status, headers, body } = reply
  if (body !== null) return { status, headers, bytes: null, body, json: null, endpoint, call }
  const bytes = reply.bytes ?? new Uint8Array()
  const isJson = bytes.byteLength > 0 && status !== 304 && /[/+]json\b/i.test(headers['content-type'] ?? '')
  const json = isJson ? readJson(bytes, { reply, call }) : null
  const words = isJson && json === null ? new TextDecoder().decode(bytes) : ''
  if (endpoint.write !== 'none') rejectFailure({ value: json === null ? null : parseExact(json), words, call })
  return { status, headers, bytes, body: null, json, endpoint, call }
}

/** The text of an answer in JSON; null when it is none, and may be anything. */
function readJson(bytes: Uint8Array, { reply, call }: Sent): string | null {
  try {
    return readJsonText(bytes)
  } catch (error) {
    if (call.endpoint.answer === 'any') return null
    const reason = error instanceof Error ? error.message : String(error)
    throw unreadableFailure(`the answer cannot be read as JSON: ${reason}`, reply, call)
  }
}
