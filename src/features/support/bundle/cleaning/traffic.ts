import { attempt } from '../../../../base/attempt.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseExact } from '../../../../base/json/exact.ts'
import { RecordSplitter } from '../../../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../../../base/json/list/wire-record.ts'
import { LIST_MEMBERS } from '../../../../contract/shapes/pages.ts'
import type { HarEntry } from '../given/har.ts'
import type { Cleaner } from './cleaner.ts'
import { droppedMarker } from './forms.ts'
import { cleanHeaders, type HeaderPair } from './headers.ts'

/** The upper limit for durations (in milliseconds) and sizes (in bytes). */
const MAX_NUMBER = 10_000_000
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/
const METHOD = /^[A-Z]{1,10}$/
const HTTP_VERSION = /^(?:HTTP\/[\d.]+|h[23])$/i
/** Matches an error code of the operating system or Node. The rest of the error message is dropped. */
const ERROR_CODE = /\b(?:E[A-Z]{3,20}|(?:ERR|UND_ERR|CERT|DEPTH|SELF|UNABLE)_[A-Z_]{3,40})\b/

/** Builds a clean HAR entry from known members only. Omits cookies, comments and members that browsers add. */
export function cleanEntry(entry: HarEntry, cleaner: Cleaner): JsonObject {
  const { request, response } = entry
  const url = cleaner.url(request.url)
  const content = isJsonObject(response['content']) ? response['content'] : {}
  const { redirectURL: redirect, _error: error } = response
  const commonOf = (half: JsonObject) => ({
    httpVersion: httpVersionOf(half),
    cookies: [],
    headers: cleanHeaders(pairsOf(half['headers']), cleaner),
  })
  const attempt = entry['_attempt']
  return {
    startedDateTime: cleaner.text('time', entry.startedDateTime),
    time: numberOf(entry['time']),
    request: {
      method: METHOD.test(request.method) ? request.method : droppedMarker(request.method),
      url,
      ...commonOf(request),
      queryString: [...new URL(url, 'http://relative.invalid').searchParams].map(([name, value]) => ({ name, value })),
      ...(isJsonObject(request['postData']) ? { postData: cleanContent(request['postData'], cleaner) } : {}),
      headersSize: -1,
      bodySize: numberOf(request['bodySize']),
    },
    response: {
      status: numberOf(response.status),
      statusText: '',
      ...commonOf(response),
      content: { size: numberOf(content['size']), ...cleanContent(content, cleaner) },
      redirectURL: typeof redirect === 'string' && redirect !== '' ? cleaner.url(redirect) : '',
      headersSize: -1,
      bodySize: -1,
      ...(typeof error === 'string' ? { _error: ERROR_CODE.exec(error)?.[0] ?? droppedMarker(error) } : {}),
    },
    cache: {},
    timings: timingsOf(entry['timings']),
    ...(typeof attempt === 'number' ? { _attempt: numberOf(attempt) } : {}),
  }
}

/**
 * Collects guests' data and secrets from a HAR entry. Finds the same data as cleaning the entry, in the same order.
 */
export function learnEntry({ request, response }: HarEntry, cleaner: Cleaner): void {
  cleaner.url(request.url)
  for (const [half, content] of [
    [request, request['postData']],
    [response, response['content']],
  ] as const) {
    cleanHeaders(pairsOf(half['headers']), cleaner)
    const text = isJsonObject(content) ? textOf(content) : null
    if (text !== null) learnBody(text, cleaner)
  }
  const { redirectURL: redirect } = response
  if (typeof redirect === 'string' && redirect !== '') cleaner.url(redirect)
}

function learnBody(text: string, cleaner: Cleaner): void {
  const value = attempt(() => parseExact(text), undefined)
  for (const one of value === undefined ? completeRecords(text) : [value]) cleaner.learn(one)
}

/** A webhook delivery that a listener stored in its journal. */
export interface RecordedDelivery {
  readonly timeMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly verdict?: string
}

/**
 * Cleans a delivery. Returns a journal entry that other commands can read. Its `body` repeats `bodyBase64` in readable
 * form.
 */
export function cleanDelivery(
  { timeMs, headers, body, verdict = 'new' }: RecordedDelivery,
  cleaner: Cleaner,
): JsonObject {
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const { text } = cleanBody(Buffer.from(body).toString('utf8'), cleaner)
  return {
    time: new Date(timeMs).toISOString(),
    headers: Object.fromEntries(cleanHeaders(pairs, cleaner).map(({ name, value }) => [name, value])),
    bodyBase64: Buffer.from(text).toString('base64'),
    verdict: /^(?:new|duplicate|stale)$/.test(verdict) ? verdict : 'new',
    body: text,
  }
}

function cleanContent(content: JsonObject, cleaner: Cleaner): JsonObject {
  const { mimeType, comment } = content
  const type = { mimeType: typeof mimeType === 'string' && MEDIA_TYPE.test(mimeType) ? mimeType : '' }
  const text = textOf(content)
  if (text === null) return type
  const { text: clean, remark } = cleanBody(text, cleaner)
  const cut = typeof comment === 'string' && /^the first \d+ of \d+ bytes$/.test(comment) ? comment : null
  const remarks = [cut, remark].filter((one) => one !== null)
  return { ...type, text: clean, ...(remarks.length > 0 ? { comment: remarks.join('; ') } : {}) }
}

function textOf({ text, encoding }: JsonObject): string | null {
  if (typeof text !== 'string') return null
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
}

function httpVersionOf(half: JsonObject): string {
  const version = half['httpVersion']
  return typeof version === 'string' && HTTP_VERSION.test(version) ? version : ''
}

function pairsOf(value: JsonValue | undefined): HeaderPair[] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (pair): pair is JsonObject & HeaderPair =>
      isJsonObject(pair) && typeof pair['name'] === 'string' && typeof pair['value'] === 'string',
  )
}

function timingsOf(value: JsonValue | undefined): JsonObject {
  const timings = isJsonObject(value) ? value : {}
  return { send: numberOf(timings['send']), wait: numberOf(timings['wait']), receive: numberOf(timings['receive']) }
}

/**
 * Returns a duration or a size. Returns -1 for anything else, including numbers that are long enough to be phone
 * numbers.
 */
function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Math.abs(value) < MAX_NUMBER ? Math.round(value) : -1
}

/**
 * Cleans a JSON body. If a list is truncated, keeps its complete records and says so in `remark`, which is otherwise
 * `null`. Replaces any other text with a marker.
 */
export function cleanBody(text: string, cleaner: Cleaner) {
  if (text.trim() === '') return { text, remark: null }
  try {
    return { text: JSON.stringify(cleaner.json(parseExact(text))), remark: null }
  } catch {
    const records = completeRecords(text)
    if (records.length === 0) return { text: droppedMarker(text, ', not JSON'), remark: null }
    return {
      text: JSON.stringify(records.map((record) => cleaner.json(record))),
      remark: `the list is truncated: only its first ${records.length} records are included`,
    }
  }
}

function completeRecords(text: string): JsonValue[] {
  const [listMember = null, ...otherMembers] = LIST_MEMBERS
  const batch: WireRecord[] = []
  new RecordSplitter({ listMember, otherMembers }).push(Buffer.from(text), batch)
  try {
    return batch.map(({ value }) => value)
  } catch {
    return []
  }
}
