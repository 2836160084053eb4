import { messageOf } from '../base/failure/failure.ts'
import { type JsonValue, parseExact } from '../base/json/exact.ts'
import { readJsonText } from '../base/json/json-text.ts'
import { type CallContext, unreadableFailure } from './calls/failures.ts'
import type { Sent } from './calls/send.ts'

export interface AnswerBody {
  /** The body if it is JSON, else empty. */
  readonly text: string
  /** With exact numbers; null if it is not JSON. */
  readonly value: JsonValue
  /** The body if it is plain text, else empty. */
  readonly words: string
}

const EMPTY: AnswerBody = { text: '', value: null, words: '' }

/** Reads JSON, or with `takesText` plain text, but never a proxy's web page. Fails: as {@link unreadableFailure}. */
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
    throw unreadableFailure(`the answer cannot be read as JSON: ${reason}`, reply, call)
  }
}

type Headers = Readonly<Record<string, string>>

/** Rejects a body that looks like a web page, whatever its type says. Fails: as {@link readBody}. */
export function refuseWebPage(headers: Headers, start: string, call: CallContext): void {
  const isPage = /^\s*<[a-z!?]/i.test(start) || (/html/i.test(headers['content-type'] ?? '') && /<[a-z!/]/i.test(start))
  if (isPage) throw unreadableFailure('the service answered with a web page', { headers }, call)
}

export function isJsonType(headers: Headers): boolean {
  return /[/+]json\b/i.test(headers['content-type'] ?? '')
}

/** Whether an unreadable body was meant to be JSON. After a write, one that begins like an object counts too. */
function isMeantAsJson(headers: Headers, plain: string, { endpoint }: CallContext): boolean {
  return isJsonType(headers) || (endpoint.write !== 'none' && /^\s*\[?\s*\{/.test(plain))
}
