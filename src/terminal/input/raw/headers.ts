import { repeated } from '../flags.ts'
import type { Problems } from '../problems.ts'

const header = repeated({ helpValue: 'K:V', summary: 'An extra header. May be repeated.' })
export const HEADER_FLAG = { header } as const

/** Headers that the HTTP client sets itself. Setting them here would break the request. */
const CLIENT_HEADERS = new Set(
  'host connection content-length transfer-encoding upgrade keep-alive expect te trailer'.split(' '),
)

/**
 * Parses `K:V` headers and converts their names to lower case. Error messages do not quote the values, which may be
 * secrets.
 */
export function parseHeaders(typed: readonly string[], problems: Problems): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const text of typed) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? []
    const key = name.toLowerCase()
    if (name === '') problems.add('--header must be K:V on one line, such as --header "Accept: text/csv"')
    else if (key === 'x-api-key')
      problems.add('--header must not contain the API key', 'nothing was sent; set PARTNER_API_KEY, or use a profile')
    else if (CLIENT_HEADERS.has(key)) problems.add(`--header must not set ${name}: partner sets it`)
    else headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value
  }
  return headers
}
