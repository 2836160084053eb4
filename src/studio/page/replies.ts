import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'

type Headers = Readonly<Record<string, string>>

/** Headers that forbid resources from other origins, inline code, embedding in frames, and caching. */
export const PAGE_HEADERS: Headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Returns a response that contains UTF-8 text. `type` is its media type without a charset. */
export function textReply(status: number, type: string, text: string, headers: Headers = {}): WireReply {
  const body = new WholeBody(Buffer.from(text, 'utf8'))
  return { status, headers: { ...PAGE_HEADERS, 'content-type': `${type}; charset=utf-8`, ...headers }, body }
}

export function plainReply(status: number, text: string, headers: Headers = {}): WireReply {
  return textReply(status, 'text/plain', `${text}\n`, headers)
}
