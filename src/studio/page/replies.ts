import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'

/** Nothing from other origins, nothing inline, no frames, no caching. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A reply with a text of a media type. */
export function textReply(
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return {
    status,
    headers: { ...PAGE_HEADERS, 'content-type': `${type}; charset=utf-8`, ...headers },
    body: new WholeBody(Buffer.from(text, 'utf8')),
  }
}

/** A sentence in plain text. */
export function plainReply(status: number, text: string, headers: Readonly<Record<string, string>> = {}): WireReply {
  return textReply(status, 'text/plain', `${text}\n`, headers)
}
