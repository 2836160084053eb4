import { type JsonValue, parseExact } from '../base/json/exact.ts'
import { readJsonText } from '../base/json/json-text.ts'
import { type CallContext, unreadableFailure } from './calls/failures.ts'
import type { Sent } from './calls/send.ts'

/** The body of a successful reply. */
export interface AnswerBody {
  /** The body if it is JSON; otherwise empty. */
  readonly text: string
  /** The parsed body, with every digit of its numbers. `null` if it is not JSON. */
  readonly value: JsonValue
  /** The body if it is plain text; otherwise empty. */
  readonly words: string
}

const EMPTY: AnswerBody = { text: '', value: null, words: '' }

/**
 * Reads the body of a successful reply. A web page is never an answer: a proxy or a captive portal sent it.
 * @param takesText whether plain text is an answer, too.
 * Fails: SERVICE_ERROR, or OUTCOME_UNKNOWN after a write, for a web page, for JSON that cannot be parsed, and for text that is not
 * expected.
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
    const reason = error instanceof Error ? error.message : String(error)
    throw unreadableFailure(`the answer cannot be read as JSON: ${reason}`, reply, call)
  }
}

type Headers = Readonly<Record<string, string>>

/** Refuses a body that begins like a web page, whatever type it is announced as. Fails: as {@link readBody}. */
export function refuseWebPage(headers: Headers, start: string, call: CallContext): void {
  const isPage = /^\s*<[a-z!?]/i.test(start) || (/html/i.test(headers['content-type'] ?? '') && /<[a-z!/]/i.test(start))
  if (isPage) throw unreadableFailure('the service answered with a web page', { headers }, call)
}

/** Whether a reply is announced as JSON. */
export function isJsonType(headers: Headers): boolean {
  return /[/+]json\b/i.test(headers['content-type'] ?? '')
}

/** Whether a body that cannot be parsed was meant to be JSON. After a write, one that begins like an object counts, too. */
function isMeantAsJson(headers: Headers, plain: string, { endpoint }: CallContext): boolean {
  return isJsonType(headers) || (endpoint.write !== 'none' && /^\s*\[?\s*\{/.test(plain))
}
