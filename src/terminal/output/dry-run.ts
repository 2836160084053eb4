import { isUtf8 } from 'node:buffer'
import { attempt } from '../../base/attempt.ts'
import { parseExact } from '../../base/json/exact.ts'
import { maskSecret, redactBody, redactHeaders } from '../../base/redaction/redaction.ts'
import type { Session } from '../../client/session.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { createSignatureHeader } from '../../http/client/auth.ts'
import type { WireRequest } from '../../http/transport.ts'
import { jsonTerminalSafe, terminalSafe } from '../render/text/safe-text.ts'
import type { Format } from '../render/view.ts'
import { curlCommand } from './curl.ts'

/**
 * Formats a request as text, with notes about it. Secrets are masked or replaced with variables, but a signature is
 * shown.
 */
export async function requestText(
  request: WireRequest,
  endpoint: Pick<Endpoint, 'auth'>,
  session: Pick<Session, 'apiKey' | 'service' | 'signing'>,
  { format, curl }: { readonly format: Format; readonly curl: boolean },
): Promise<{ text: string; notes: readonly string[] }> {
  const { signing } = session
  const sendsKey = endpoint.auth === 'api-key'
  const signed = signing ? await createSignatureHeader(request, signing.header, signing.secret) : {}
  if (curl) {
    const { text, variables } = curlCommand({ ...request, headers: { ...request.headers, ...signed } }, sendsKey)
    const notes = [
      ...(variables.length === 0 ? [] : [`before you run it, set ${variables.join(', ')}`]),
      ...(session.service === 'sandbox' ? [SANDBOX_NOTE] : []),
    ]
    return { text: `${text}\n`, notes }
  }
  const key: Record<string, string> = sendsKey ? { 'x-api-key': maskSecret(await session.apiKey()) } : {}
  return { text: plainRequestText(request, format, { ...key, ...signed }), notes: [] }
}

/** Formats a request as text or JSON, without secrets. `more` contains additional headers to print unchanged. */
export function plainRequestText(
  { method, url, headers: own, body: bytes }: WireRequest,
  format: Format,
  more: Readonly<Record<string, string>> = {},
): string {
  const headers = { ...redactHeaders(own), ...more }
  const body = bodyText(bytes)
  if (format === 'json' || format === 'ndjson') {
    const json = body === null ? null : attempt(() => parseExact(body, Number.POSITIVE_INFINITY), body)
    return `${JSON.stringify({ method, url: url.href, headers, body: json })}\n`
  }
  const lines = [`${method} ${url.href}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== null) lines.push('', ...indented(body))
  return `${lines.map(terminalSafe).join('\n')}\n`
}

const SANDBOX_NOTE =
  'this sandbox ends when the command ends, and its port closes; for one that keeps running: partner sandbox start, then eval "$(partner sandbox env)" instead of --profile sandbox'

function bodyText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  return isUtf8(bytes) ? redactBody(Buffer.from(bytes).toString('utf8')) : `(${bytes.byteLength} bytes of binary data)`
}

function indented(body: string): string[] {
  const json = () => jsonTerminalSafe(JSON.stringify(parseExact(body, Number.POSITIVE_INFINITY), null, 2))
  return attempt(json, body).split('\n')
}
