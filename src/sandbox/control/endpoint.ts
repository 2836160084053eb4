import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { CONTROL_LIMITS_MS, type ControlOperation, type SandboxControl } from './control.ts'

/** The path of the endpoint that controls the sandbox. The real service does not use this path. */
export const CONTROL_PATH = '/_sandbox/control'
/** The header that contains the control token. Browsers do not let pages from other origins send this header. */
export const TOKEN_HEADER = 'x-sandbox-token'

/**
 * Runs control operations, which are POST requests with the token and the body `{operation, input}`. Rejects requests
 * with an Origin header, because they come from a browser.
 */
export function withControl(control: SandboxControl, token: string): Layer {
  return (next) => async (request) => {
    if (request.url.pathname !== CONTROL_PATH) return next(request)
    return rejectIntruder(request, token) ?? perform(control, request)
  }
}

function rejectIntruder({ method, headers }: WireRequest, token: string): WireReply | null {
  const reject = (status: number, message: string) => jsonReply(status, { error: { code: 'REJECTED', message } })
  if (headers['origin'] !== undefined) return reject(403, 'Web pages cannot control the sandbox.')
  if (!isEqualInConstantTime(headers[TOKEN_HEADER] ?? '', token))
    return reject(401, 'The control token is missing or wrong.')
  return method === 'POST' ? null : reject(405, 'Control requests must use POST.')
}

/** Compares two strings in constant time. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  // node:crypto is loaded on demand, because importing it would slow down start-up.
  return a.byteLength === b.byteLength && process.getBuiltinModule('node:crypto').timingSafeEqual(a, b)
}

async function perform(control: SandboxControl, request: WireRequest): Promise<WireReply> {
  try {
    const { operation, input } = parseOperation(request)
    const run = control[operation] as (...input: readonly unknown[]) => Promise<unknown>
    return jsonReply(200, { result: await run(...input) })
  } catch (error) {
    if (error instanceof Failure)
      return jsonReply(400, { error: { code: error.code, message: error.message, details: error.details } })
    const message = `the sandbox could not run the operation: ${error instanceof Error ? error.message : String(error)}`
    return jsonReply(500, { error: { code: 'INTERNAL', message } })
  }
}

function parseOperation({ body }: WireRequest): { readonly operation: ControlOperation; readonly input: unknown[] } {
  let parsed: { readonly operation?: unknown; readonly input?: unknown } | null
  try {
    parsed = parseJson(Buffer.from(body ?? []).toString('utf8'))
  } catch {
    throw new Failure('USAGE', 'cannot read the operation: the body must be JSON')
  }
  const operation = String(parsed?.operation)
  if (!Object.hasOwn(CONTROL_LIMITS_MS, operation))
    throw new Failure('USAGE', 'the sandbox does not support this operation')
  return { operation: operation as ControlOperation, input: Array.isArray(parsed?.input) ? parsed.input : [] }
}
