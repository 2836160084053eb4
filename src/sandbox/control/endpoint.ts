import { Failure } from '../../failure/failure.ts'
import { isLoopback } from '../../http/loopback.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Layer, WireReply, WireRequest } from '../../http/transport.ts'
import { CONTROL_OPERATIONS, type SandboxControl } from './control.ts'

/** Where a running sandbox is controlled; the service itself has no such path. */
export const ADMIN_PATH = '/_sandbox/control'
/** The header that carries the token; a web page of another origin cannot set it without permission. */
export const ADMIN_TOKEN_HEADER = 'x-sandbox-token'

/**
 * Takes `{operation, input}` by POST, only from this machine and only with the token. Web pages are kept out: their browser
 * sends an Origin, and a host name that was rebound to this address is not a loopback name.
 */
export function withAdmin(control: SandboxControl, token: string): Layer {
  return (next) => async (request) => {
    if (request.url.pathname !== ADMIN_PATH) return next(request)
    return refuse(request, token) ?? operate(control, request)
  }
}

function refuse({ method, url, headers }: WireRequest, token: string): WireReply | null {
  const no = (status: number, message: string) => jsonReply(status, { error: { code: 'REJECTED', message } })
  if (!isLoopback(url.hostname)) return no(403, 'The admin endpoint is for this machine only.')
  if (headers['origin'] !== undefined) return no(403, 'The admin endpoint is not for web pages.')
  if (!sameText(headers[ADMIN_TOKEN_HEADER] ?? '', token)) return no(401, 'The admin token is missing or wrong.')
  return method === 'POST' ? null : no(405, 'The admin endpoint takes POST.')
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  // Loaded here, so that the start does not wait for it.
  return a.byteLength === b.byteLength && process.getBuiltinModule('node:crypto').timingSafeEqual(a, b)
}

async function operate(control: SandboxControl, request: WireRequest): Promise<WireReply> {
  try {
    const { operation, input } = JSON.parse(Buffer.from(request.body ?? []).toString('utf8')) as {
      readonly operation?: unknown
      readonly input?: unknown
    }
    const known = CONTROL_OPERATIONS.find((name) => name === operation)
    if (!known) throw new Failure('USAGE', 'the sandbox knows no such operation')
    const run = control[known] as (...input: unknown[]) => Promise<unknown>
    const result = await run(...(Array.isArray(input) ? input : []))
    return jsonReply(200, { result })
  } catch (error) {
    if (error instanceof Failure)
      return jsonReply(400, { error: { code: error.code, message: error.message, details: error.details } })
    return jsonReply(400, { error: { code: 'USAGE', message: 'the sandbox cannot read the request' } })
  }
}
