import { HIDDEN, redactHeaders } from '../../../../base/redaction/redaction.ts'
import type { Cleaner } from './cleaner.ts'
import { droppedMarker, HAS_FORM } from './forms.ts'

/** A header in HAR format. */
export type HeaderPair = { readonly name: string; readonly value: string }

const TIMES = new Set(['date', 'expires', 'last-modified', 'if-modified-since'])
const URLS = new Set(['location', 'referer', 'origin', 'content-location'])
/**
 * Headers that name programs and hosts. Their values are dropped if they contain even a guest's first name. In other
 * headers, a first name alone is allowed, because it may be an HTTP keyword.
 */
const PROGRAMS = new Set(['server', 'user-agent', 'via', 'x-powered-by'])
/** Headers whose values are HTTP keywords and numbers. */
const PLAIN = new Set(
  `accept accept-encoding accept-ranges age allow cache-control connection content-encoding content-length content-type keep-alive
  pragma retry-after server transfer-encoding upgrade user-agent vary via x-powered-by x-partner-repair x-partner-sample
  ratelimit-limit ratelimit-remaining ratelimit-reset ratelimit-policy x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset
  x-rate-limit-limit x-rate-limit-remaining x-rate-limit-reset strict-transport-security`.split(/\s+/),
)
const IDS = new Set(
  'x-request-id x-correlation-id request-id traceparent cf-ray x-amzn-requestid x-trace-id'.split(' '),
)
const HEADER_NAME = /^[a-z0-9-]{1,60}$/
const PLAIN_VALUE = /^[\w .,;:=/()*+"'-]{0,200}$/

/** Keeps standard HTTP headers, hides credentials, and drops all other headers. */
export function cleanHeaders(headers: readonly HeaderPair[], cleaner: Cleaner): HeaderPair[] {
  return headers.map(({ name, value }) => {
    const lower = name.toLowerCase()
    if (!HEADER_NAME.test(lower) || cleaner.known.hasNameIn(lower) || cleaner.known.hasPersonalData(lower))
      return { name: droppedMarker(name), value: droppedMarker(value) }
    return { name: lower, value: cleanValue(lower, value, cleaner) }
  })
}

function cleanValue(name: string, value: string, cleaner: Cleaner): string {
  if (redactHeaders({ [name]: value })[name] !== value || value === HIDDEN) {
    learnSecrets(value, cleaner)
    return HIDDEN
  }
  if (TIMES.has(name)) return HAS_FORM.time(value) ? value : droppedMarker(value)
  if (URLS.has(name)) return cleaner.url(value)
  if (IDS.has(name)) return cleaner.id(value)
  if (name === 'host') return /^[\w.:[\]-]+$/.test(value) ? value : droppedMarker(value)
  const hasName = cleaner.known.hasFullNameIn(value) || (PROGRAMS.has(name) && cleaner.known.hasNameIn(value))
  return PLAIN.has(name) && PLAIN_VALUE.test(value) && !hasName && !cleaner.known.hasPersonalData(value)
    ? value
    : droppedMarker(value)
}

/** Collects the secrets in a header, but not words such as `Bearer` or the names of cookies. */
function learnSecrets(value: string, cleaner: Cleaner): void {
  if (value.includes(HIDDEN)) return
  const values = value.split(/;\s*/).map((part) => part.replace(/^(?:\w+ |[\w.-]+=)/, ''))
  for (const secret of values) cleaner.known.learnForeignSecret(secret)
}
