import { messageOf } from '../base/failure/failure.ts'
import { type JsonValue, parseExact } from '../base/json/exact.ts'
import { readJsonText } from '../base/json/json-text.ts'
import { type CallContext, unreadableFailure } from './calls/failures.ts'
import type { Sent } from './calls/send.ts'

export interface AnswerBody {
  /** The body if it is JSON; otherwise empty. */
  readonly text: string
  /** The parsed body, with exact numbers. `null` if the body is not JSON. */
  readonly value: JsonValue
  /** The body if it is plain text; otherwise empty. */
  readonly words: string
}

const EMPTY: AnswerBody = { text: '', value: null, words: '' }

/**
 * Reads a body as JSON. If `takesText` is true, also accepts plain text, but never a web page from a proxy. If the body
 * cannot be read, throws OUTCOME_UNKNOWN for a write and SERVICE_ERROR for a read.
 */
export function readBody({ reply, call }: Sent, takesText: boolean): AnswerBody {
  const bytes = reply.bytes ?? new Uint8Array()
  const plain = reply.text ?? ''
  if (reply.status === 304 || plain.trim() === '') return EMPTY
  try {
    const text = readJsonText(bytes)
    return { ...EMPTY, text, value: parseExact(text) }
  } catch (error) {
    refuseWebPage(reply.headers, plain, call)
    if (takesText && !isMeantAsJson(reply.headers, plain, call)) return { ...EMPTY, words: plain.trim() }
    const reason = messageOf(error)
    throw unreadableFailure(`the response cannot be read as JSON: ${reason}`, reply, call)
  }
}

type Headers = Readonly<Record<string, string>>

/**
 * Throws if a body looks like a web page, regardless of its content type: OUTCOME_UNKNOWN for a write, SERVICE_ERROR
 * for a read.
 */
export function refuseWebPage(headers: Headers, start: string, call: CallContext): void {
  const isPage = /^\s*<[a-z!?]/i.test(start) || (/html/i.test(headers['content-type'] ?? '') && /<[a-z!/]/i.test(start))
  if (isPage) throw unreadableFailure('the service answered with a web page', { headers }, call)
}

export function isJsonType(headers: Headers): boolean {
  return /[/+]json\b/i.test(headers['content-type'] ?? '')
}

/**
 * Returns whether an unreadable body was probably meant to be JSON. After a write, any body that starts like a JSON
 * object qualifies.
 */
function isMeantAsJson(headers: Headers, plain: string, { endpoint }: CallContext): boolean {
  return isJsonType(headers) || (endpoint.write !== 'none' && /^\s*\[?\s*\{/.test(plain))
}
