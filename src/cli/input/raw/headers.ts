import { repeated } from '../flags.ts'
import type { Problems } from '../problems.ts'

/** Headers of a raw request. */
export const HEADER_FLAG = {
  header: repeated({ helpValue: 'K:V', summary: 'A header more. May be repeated.' }),
} as const

/** Headers that the connection sets itself, and with which a request would not arrive as it was meant. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'expect',
  'te',
  'trailer',
])

/** Reads `K:V`, names in lower case. What cannot be sent becomes a problem; values are not echoed, as they may be secrets. */
export function rawHeaders(typed: readonly string[], problems: Problems): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const text of typed) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
    const key = name.toLowerCase()
    if (name === '')
      problems.add('--header must be K:V, such as --header "Accept: text/csv", its value plain text on one line')
    else if (key === 'x-api-key')
      problems.add(
        '--header must not bring the API key',
        'it comes from the profile or PARTNER_API_KEY; nothing was sent',
      )
    else if (OF_THE_CONNECTION.has(key)) problems.add(`--header must not set ${name}: the connection does`)
    else headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value
  }
  return headers
}
