import { Failure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { CONTROL_LIMITS_MS, type ControlOperation, type SandboxControl } from './control.ts'

/** The path of the control endpoint; the service has nothing at this path. */
export const CONTROL_PATH = '/_sandbox/control'
/** The header of the control token. Browsers do not let a page of another origin send it. */
export const TOKEN_HEADER = 'x-sandbox-token'

/** Accepts operations as POST of `{operation, input}` with the token. Rejects an Origin, which browsers add. */
export function withControl(control: SandboxControl, token: string): Layer {
  return (next) => async (request) => {
    if (request.url.pathname !== CONTROL_PATH) return next(request)
    return refuse(request, token) ?? perform(control, request)
  }
}

function refuse({ method, headers }: WireRequest, token: string): WireReply | null {
  const no = (status: number, message: string) => jsonReply(status, { error: { code: 'REJECTED', message } })
  if (headers['origin'] !== undefined) return no(403, 'The sandbox is not controlled by web pages.')
  if (!isSame(headers[TOKEN_HEADER] ?? '', token)) return no(401, 'The control token is missing or wrong.')
  return method === 'POST' ? null : no(405, 'The sandbox is controlled by POST.')
}

/** Compares two texts in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  // Loaded here, as it would slow down the start.
  return a.byteLength === b.byteLength && process.getBuiltinModule('node:crypto').timingSafeEqual(a, b)
}

async function perform(control: SandboxControl, request: WireRequest): Promise<WireReply> {
  try {
    const { operation, input } = readOrder(request)
    const run = control[operation] as (...input: readonly unknown[]) => Promise<unknown>
    return jsonReply(200, { result: await run(...input) })
  } catch (error) {
    if (error instanceof Failure)
      return jsonReply(400, { error: { code: error.code, message: error.message, details: error.details } })
    const message = `the sandbox could not do it: ${error instanceof Error ? error.message : String(error)}`
    return jsonReply(500, { error: { code: 'INTERNAL', message } })
  }
}

function readOrder({ body }: WireRequest): { readonly operation: ControlOperation; readonly input: unknown[] } {
  let order: { readonly operation?: unknown; readonly input?: unknown } | null
  try {
    order = parseJson(Buffer.from(body ?? []).toString('utf8'))
  } catch {
    throw new Failure('USAGE', 'the operation cannot be read: the body must be JSON')
  }
  const operation = String(order?.operation)
  if (!Object.hasOwn(CONTROL_LIMITS_MS, operation)) throw new Failure('USAGE', 'the sandbox has no such operation')
  return { operation: operation as ControlOperation, input: Array.isArray(order?.input) ? order.input : [] }
}
