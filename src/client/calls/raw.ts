import type { Endpoint, Method } from '../../contract/endpoint.ts'
import { findEndpoints } from '../../contract/paths.ts'
import type { Reply } from '../../http/client/send-once.ts'
import { parseExact } from '../../json/exact.ts'
import { readJsonText } from '../../json/json-text.ts'
import type { Caller } from './caller.ts'
import { type CallContext, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { send } from './send.ts'
import { rejectFailure } from './success.ts'

/** An answer whose shape is not known. Exactly one of `bytes` and `body` is there. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body. */
  readonly bytes: Uint8Array | null
  /** The body still to be read. */
  readonly body: AsyncIterable<Uint8Array> | null
  /** The body as text when it is JSON, else null. */
  readonly json: string | null
  readonly endpoint: Endpoint
  readonly call: CallContext
}

export interface RawOptions {
  /** True: a success is left to be read. */
  readonly stream: boolean
  /** Told of the last answer, a refusal included. */
  readonly onFinal?: (final: Reply) => void
}

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The endpoint that a method and a path are: that of the contract, with its refusals and rules, where they are in it, else one
 * of which only reading and writing is known.
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
    write: READING_METHODS.has(method) ? 'none' : 'once',
    touches: [],
    responses: {},
    failures: {},
  }
  return { ...(known ?? unknown), path, auth: isSigned ? 'signature' : 'api-key' }
}

/**
 * Calls an endpoint and takes its answer as it comes, whatever it is.
 * Fails: as `call`; SERVICE_ERROR, or OUTCOME_UNKNOWN after a write, when it says that it is JSON and is not.
 */
export async function callRaw<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  { stream, onFinal }: RawOptions,
): Promise<RawAnswer> {
  const { final, failed } = await send(caller, endpoint, input, {}, stream, onFinal)
  const { status, headers, bytes, body } = final
  if (body !== null) return { status, headers, bytes: null, body, json: null, endpoint, call: failed }
  const whole = bytes ?? new Uint8Array()
  const isJson = whole.byteLength > 0 && status !== 304 && /[/+]json\b/i.test(headers['content-type'] ?? '')
  const json = isJson ? textOf(whole, final, failed) : null
  if (json !== null && endpoint.write !== 'none')
    rejectFailure({ status, headers, text: json, value: parseExact(json), call: failed })
  return { status, headers, bytes: whole, body: null, json, endpoint, call: failed }
}

function textOf(bytes: Uint8Array, final: Reply, failed: CallContext): string {
  try {
    return readJsonText(bytes)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw unreadableFailure(`the answer cannot be read as JSON: ${why}`, final, failed)
  }
}
