import type { Endpoint } from '../../contract/endpoint.ts'
import { anything } from '../../contract/shapes/scalars.ts'
import type { Reply } from '../../http/client/send-once.ts'
import { isJsonObject, type JsonValue, parseExact } from '../../json/exact.ts'
import { readJsonText } from '../../json/json-text.ts'
import { hasRepeatedMember } from '../../json/repeated-member.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { type CallContext, unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type CallOptions, send } from './send.ts'
import { rejectFailure } from './success.ts'

/**
 * Calls an endpoint and reads its whole answer.
 * Fails: Failure with the exit code of what happened, `isSuccess: false` included; Interrupted.
 */
export async function call<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Answer> {
  const answer = await wholeAnswer(caller, endpoint, input, options)
  if (endpoint.write !== 'none') (options.accept ?? rejectFailure)(answer)
  return answer
}

async function wholeAnswer<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
): Promise<Answer> {
  const { final, failed } = await send(caller, endpoint, input, options, false)
  return answerOf(endpoint, final, failed)
}

function answerOf(endpoint: Endpoint, final: Reply, failed: CallContext): Answer {
  const { status, headers } = final
  const nothing: Answer = { status, headers, text: '', value: null, call: failed }
  const bytes = final.bytes ?? new Uint8Array()
  if (status === 304) return nothing
  if (bytes.byteLength === 0) {
    if (mayBeEmpty(endpoint, status)) return nothing
    throw unreadableFailure('the service answered with nothing where JSON was due', final, failed)
  }
  let text: string
  let value: JsonValue
  try {
    text = readJsonText(bytes)
    value = parseExact(text)
    // Which of the two counts is nobody's to guess, least of all with `isSuccess`.
    if (endpoint.write === 'money' && hasRepeatedMember(text)) throw new Error('a member stands in it twice')
  } catch (error) {
    // A web page is a proxy's or a login's answer, whatever its status says; where money moved, anything that cannot be read is.
    if (endpoint.write !== 'money' && mayBeEmpty(endpoint, status) && !isWebPage(final)) return nothing
    throw unreadableFailure(
      `the answer cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
      final,
      failed,
    )
  }
  const due = kindDue(endpoint, status)
  if (due !== null && kindOf(value) !== due)
    throw unreadableFailure(`the service answered with ${kindOf(value)} where ${due} was due`, final, failed)
  return { status, headers, text, value, call: failed }
}

/** What an answer must be as a whole, whatever its members; null where the shape is not shown. */
function kindDue(endpoint: Endpoint, status: number): string | null {
  if ((endpoint.responses[status] ?? Object.values(endpoint.responses)[0]) === anything) return null
  return endpoint.list?.member === null ? 'a list' : 'an object'
}

function kindOf(value: JsonValue): string {
  if (isJsonObject(value)) return 'an object'
  return Array.isArray(value) ? 'a list' : 'a single value'
}

/** An answer that is being read. */
export interface StreamedAnswer {
  readonly body: AsyncIterable<Uint8Array>
  readonly failed: CallContext
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Calls an endpoint and hands its body over as it comes. Nothing is repeated once it was handed over.
 * Fails: like {@link call}.
 */
export async function callStreamed<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
): Promise<StreamedAnswer> {
  const { final, failed } = await send(caller, endpoint, input, {}, true)
  if (final.body === null)
    throw unreadableFailure('the service answered with nothing where JSON was due', final, failed)
  return { body: final.body, failed, headers: final.headers }
}

/** An answer to a write whose shape is not shown may be anything, nothing included; a read without an answer is none. */
function mayBeEmpty(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status === 204 || endpoint.responses[status] === anything)
}

function isWebPage({ headers, text }: Reply): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text ?? '')
}
