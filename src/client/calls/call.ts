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
import { type SendOptions, type Sent, send } from './send.ts'
import { rejectFailure } from './success.ts'

const EMPTY_ANSWER = 'the service answered with nothing where JSON was due'

export interface CallOptions extends Pick<SendOptions, 'check' | 'onSend' | 'ownConnection'> {
  /** Checks that the answer to a write is a success, and fails when it is not; {@link rejectFailure} when absent. */
  readonly accept?: ((answer: Answer) => void) | undefined
}

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
  const { accept = rejectFailure, ...sendOptions } = options
  const answer = readAnswer(endpoint, await send(caller, endpoint, input, sendOptions))
  if (endpoint.write !== 'none') accept(answer)
  return answer
}

function readAnswer(endpoint: Endpoint, { reply, call }: Sent): Answer {
  const { status, headers } = reply
  const empty: Answer = { status, headers, text: '', value: null, call }
  const bytes = reply.bytes ?? new Uint8Array()
  if (status === 304) return empty
  if (bytes.byteLength === 0) {
    if (mayBeEmpty(endpoint, status)) return empty
    throw unreadableFailure(EMPTY_ANSWER, reply, call)
  }
  let text: string
  let value: JsonValue
  try {
    text = readJsonText(bytes)
    value = parseExact(text)
    // Nobody can know which of the two counts; for `isSuccess` that would be a guess about money.
    if (endpoint.write === 'money' && hasRepeatedMember(text)) throw new Error('one of its members comes twice')
  } catch (error) {
    // Only a write without money may be answered with anything. A web page comes from a proxy or a login, whatever its status.
    if (endpoint.write !== 'money' && mayBeEmpty(endpoint, status) && !isWebPage(reply)) return empty
    const reason = error instanceof Error ? error.message : String(error)
    throw unreadableFailure(`the answer cannot be read as JSON: ${reason}`, reply, call)
  }
  const expected = findExpectedKind(endpoint, status)
  const kind = describeKind(value)
  if (expected !== null && kind !== expected)
    throw unreadableFailure(`the service answered with ${kind} where ${expected} was due`, reply, call)
  return { status, headers, text, value, call }
}

/** What an answer must be as a whole; null when the specification does not show its shape. */
function findExpectedKind(endpoint: Endpoint, status: number): string | null {
  if ((endpoint.responses[status] ?? Object.values(endpoint.responses)[0]) === anything) return null
  return endpoint.list?.member === null ? 'a list' : 'an object'
}

function describeKind(value: JsonValue): string {
  if (isJsonObject(value)) return 'an object'
  return Array.isArray(value) ? 'a list' : 'a single value'
}

/** An answer whose body is still to be read. */
export interface StreamedAnswer {
  readonly body: AsyncIterable<Uint8Array>
  readonly headers: Readonly<Record<string, string>>
  readonly call: CallContext
}

/**
 * Calls an endpoint and returns its body as it arrives. Once returned, nothing is repeated.
 * Fails: like {@link call}.
 */
export async function callStreamed<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
): Promise<StreamedAnswer> {
  const { reply, call } = await send(caller, endpoint, input, { stream: true })
  if (reply.body === null) throw unreadableFailure(EMPTY_ANSWER, reply, call)
  return { body: reply.body, headers: reply.headers, call }
}

/** A write whose answer the specification does not show may be answered with anything, or nothing. A read may not. */
function mayBeEmpty(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status === 204 || endpoint.responses[status] === anything)
}

/** Whether a reply is a web page, as a proxy or a login gives, whatever its status. */
export function isWebPage({ headers, text }: Pick<Reply, 'headers' | 'text'>): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text ?? '')
}
