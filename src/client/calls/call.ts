import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { hasRepeatedMember } from '../../base/json/repeated-member.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { anything } from '../../contract/shapes/scalars.ts'
import { readBody } from '../response-body.ts'
import type { DialectTranslator } from '../shapes/dialect-translator.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { unreadableFailure } from './failures.ts'
import type { CallInput } from './prepare.ts'
import { type SendOptions, type Sent, send } from './send.ts'
import { rejectFailure } from './success.ts'

export const EMPTY_ANSWER = 'the service answered with an empty body instead of JSON'

export interface CallOptions extends Pick<SendOptions, 'check' | 'onSend' | 'ownConnection'> {
  /** Throws unless the response shows that the write succeeded. Default: {@link rejectFailure}. */
  readonly accept?: ((answer: Answer) => void) | undefined
}

/**
 * Calls an endpoint and reads its whole response. Throws Interrupted or Failure. Also throws Failure for a response
 * with `isSuccess: false`.
 */
export async function call<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Answer> {
  const { accept = rejectFailure, ...sendOptions } = options
  const sent = await send(caller, endpoint, input, sendOptions)
  const answer = readAnswer(endpoint, sent, caller.translator)
  if (endpoint.write !== 'none') accept(answer)
  return answer
}

function readAnswer(endpoint: Endpoint, sent: Sent, translator?: DialectTranslator): Answer {
  const { reply, call } = sent
  const { status, headers } = reply
  const isOpen = endpoint.answer === 'any'
  const body = readBody(sent, isOpen)
  const answer: Answer = { status, headers, ...body, call }
  if (body.text === '') {
    if (body.words !== '' || status === 304 || isOpen || mayBeEmpty(endpoint, status)) return answer
    throw unreadableFailure(EMPTY_ANSWER, reply, call)
  }
  if (contradictsItself(endpoint, body.text))
    throw unreadableFailure('the response cannot be read as JSON: it contains a duplicate member', reply, call)
  const value = translator ? translator.translateAnswer(endpoint, body.value) : body.value
  const text = translator ? JSON.stringify(value) : body.text
  if (isOpen) return value === null ? { ...answer, text: '', value } : { ...answer, text, value }
  const expected = findExpectedKind(endpoint, status)
  const kind = describeKind(value)
  if (expected === null ? endpoint.write === 'none' && value === null : kind !== expected)
    throw unreadableFailure(`the service answered with ${kind} instead of ${expected ?? 'a value'}`, reply, call)
  return { ...answer, text, value }
}

/**
 * Returns whether the response to a money write repeats a member. Two values of `isSuccess`, for example, would leave
 * it unclear whether money moved.
 */
function contradictsItself(endpoint: Endpoint, text: string): boolean {
  if (endpoint.write !== 'money' || (endpoint.answer === 'any' && !text.includes('isSuccess'))) return false
  return hasRepeatedMember(text)
}

/** Returns the kind of JSON value that the response must contain, or `null` if the specification does not say. */
function findExpectedKind(endpoint: Endpoint, status: number): string | null {
  if ((endpoint.responses[status] ?? Object.values(endpoint.responses)[0]) === anything) return null
  return endpoint.list?.member === null ? 'a list' : 'an object'
}

function describeKind(value: JsonValue): string {
  if (isJsonObject(value)) return 'an object'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : 'a single value'
}

/**
 * Returns whether the response may be empty. Only writes may have an empty response, and only if the status is 204 or
 * the response is undocumented.
 */
function mayBeEmpty(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status === 204 || endpoint.responses[status] === anything)
}
