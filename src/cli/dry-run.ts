import type { Endpoint } from '../contract/endpoint.ts'
import type { WireRequest } from '../http/transport.ts'
import { maskSecret } from '../profiles/secrets.ts'
import { terminalSafe } from '../render/safe-text.ts'
import type { Format } from '../render/view.ts'

/** The request that would be sent, for a person or as JSON; the key is masked. */
export async function requestText(
  request: WireRequest,
  endpoint: Endpoint,
  apiKey: () => Promise<string>,
  format: Format,
): Promise<string> {
  const headers: Record<string, string> = { ...request.headers }
  if (endpoint.auth === 'api-key') headers['x-api-key'] = maskSecret(await apiKey())
  const body = request.body === null ? null : new TextDecoder().decode(request.body)
  if (format === 'json' || format === 'ndjson') {
    const shown = {
      method: request.method,
      url: request.url.href,
      headers,
      body: body === null ? null : JSON.rawJSON('0'),
    }
    return `${JSON.stringify(shown).replace(/"body":0\}$/, () => `"body":${body}}`)}\n`
  }
  const lines = [
    `${request.method} ${request.url.href}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== null) lines.push('', ...indented(body))
  return `${lines.map(terminalSafe).join('\n')}\n`
}

function indented(body: string): string[] {
  const value: unknown = JSON.parse(body, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  )
  return JSON.stringify(value, null, 2).split('\n')
}
