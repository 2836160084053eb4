import { isUtf8 } from 'node:buffer'
import { maskSecret, redactBody, redactHeaders } from '../../base/redaction/redaction.ts'
import type { Session } from '../../client/session.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { createSignatureHeader } from '../../http/client/auth.ts'
import type { WireRequest } from '../../http/transport.ts'
import { jsonTerminalSafe, terminalSafe } from '../render/text/safe-text.ts'
import type { Format } from '../render/view.ts'
import { curlCommand } from './curl.ts'

/** How to show a request. */
export interface RequestShown {
  readonly format: Format
  /** As a command for bash. */
  readonly curl: boolean
}

/**
 * The request that would be sent, for a person, as JSON or as a command, and what is to be said beside it. The key is masked or
 * a variable, and so are credentials in the body; a signature is shown, as it opens nothing but this very request.
 */
export async function requestText(
  request: WireRequest,
  endpoint: Pick<Endpoint, 'auth'>,
  session: Pick<Session, 'apiKey' | 'service' | 'signing'>,
  { format, curl }: RequestShown,
): Promise<{ text: string; notes: readonly string[] }> {
  const { signing } = session
  const sendsKey = endpoint.auth === 'api-key'
  const signed = signing ? await createSignatureHeader(request, signing.header, signing.secret) : {}
  if (curl) {
    const { text, variables } = curlCommand({ ...request, headers: { ...request.headers, ...signed } }, sendsKey)
    return { text: `${text}\n`, notes: notesFor(variables, session) }
  }
  const key: Record<string, string> = sendsKey ? { 'x-api-key': maskSecret(await session.apiKey()) } : {}
  return { text: plainRequestText(request, format, { ...key, ...signed }), notes: [] }
}

/** A request for a person, or as JSON, without its secrets; `more` are headers that may be shown as they are. */
export function plainRequestText(
  { method, url, headers: own, body: bytes }: WireRequest,
  format: Format,
  more: Readonly<Record<string, string>> = {},
): string {
  const headers = { ...redactHeaders(own), ...more }
  const body = bodyText(bytes)
  if (format === 'json' || format === 'ndjson')
    return `${JSON.stringify({ method, url: url.href, headers, body: rawJson(body) })}\n`
  const lines = [`${method} ${url.href}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== null) lines.push('', ...indented(body))
  return `${lines.map(terminalSafe).join('\n')}\n`
}

/** What whoever pastes the command must know. */
function notesFor(variables: readonly string[], { service }: Pick<Session, 'service'>): string[] {
  const notes = variables.length === 0 ? [] : [`before you run it, set ${variables.join(', ')}`]
  if (service === 'sandbox')
    notes.push(
      'this sandbox ends with this command, and its port with it; for one that stays: partner sandbox start, and eval "$(partner sandbox env)" in place of --profile sandbox',
    )
  return notes
}

/** The body without its secrets; null when there is none. */
function bodyText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  return isUtf8(bytes)
    ? redactBody(Buffer.from(bytes).toString('utf8'))
    : `(${bytes.byteLength} bytes that are not text)`
}

/** The body as a part of a JSON text: itself where it is JSON, else its text. */
function rawJson(body: string | null): unknown {
  if (body === null) return null
  try {
    return exact(body)
  } catch {
    return body
  }
}

function exact(json: string): unknown {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  )
}

function indented(body: string): string[] {
  try {
    return jsonTerminalSafe(JSON.stringify(exact(body), null, 2)).split('\n')
  } catch {
    return body.split('\n')
  }
}
