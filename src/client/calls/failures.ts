import { attempt } from '../../base/attempt.ts'
import type { FailureCode } from '../../base/failure/exit-codes.ts'
import { type FailedRequest, Failure, type FailureDetail, type Outcome } from '../../base/failure/failure.ts'
import type { Interrupted } from '../../base/failure/interrupted.ts'
import { parseExact } from '../../base/json/exact.ts'
import { readJsonText } from '../../base/json/json-text.ts'
import type { DocumentedFailure, Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES, keyWithoutVenue } from '../../contract/failures.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import type { NetworkError } from '../../http/client/errors.ts'
import type { FinalReply } from '../../http/client/retry.ts'
import type { Reply } from '../../http/client/send-once.ts'

export interface CallContext {
  readonly endpoint: Endpoint
  readonly request: FailedRequest
  /** The command that shows whether the write took effect, or `null` if no such command exists. */
  readonly check: string | null
}

const STATUS_CODES: Readonly<Record<number, FailureCode>> = {
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
}

/** Creates the failure for a response whose status is not a documented success. */
export function refusalFailure({ reply, retryAfterMs, isWaitTooLong }: FinalReply, call: CallContext): Failure {
  const { status } = reply
  if (status >= 300 && status < 400 && reply.headers['location']) return redirectFailure(reply, call)
  const { text } = reply
  const body = text?.trim() ? attempt(() => parseExact(readJsonText(Buffer.from(text))), undefined) : undefined
  const { message, complaints } = readServiceWords(body)
  const documented = findDocumentedFailure(call.endpoint, status, message)
  const said = message === null ? complaints : [message, ...complaints]
  if (documented === null && leavesOutcomeUnknown(call.endpoint, status))
    return unknownOutcomeFailure(call, `the service answered ${status}`, { said })
  const usualCode = documented?.code ?? STATUS_CODES[status] ?? (status >= 500 ? 'SERVICE_ERROR' : 'REJECTED')
  const code = isWaitTooLong ? 'RATE_LIMITED' : usualCode
  return new Failure(code, message === null ? describeReply(reply) : '', {
    said,
    hint: pickHint(code, documented, retryAfterMs, said.length > 0),
    request: call.request,
    outcome: outcomeOfRefusal(call.endpoint),
    details: body === undefined ? undefined : { answer: body },
  })
}

export function networkFailure(error: NetworkError, call: CallContext): Failure {
  if (call.endpoint.write !== 'none' && error.maybeSent)
    return unknownOutcomeFailure(call, error.message, { cause: error })
  const isTimeout = error.kind === 'timeout'
  const words = isTimeout ? `${error.message}: the service is slow or not responding` : error.message
  return new Failure(isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR', words, {
    hint: NETWORK_HINTS[error.kind],
    request: call.request,
    outcome: outcomeOfRefusal(call.endpoint),
    cause: error,
  })
}

/** Creates the failure for a successful response whose body cannot be used. */
export function unreadableFailure(what: string, { headers }: Pick<Reply, 'headers'>, call: CallContext): Failure {
  if (call.endpoint.write !== 'none') return unknownOutcomeFailure(call, what)
  return new Failure('SERVICE_ERROR', what, {
    hint: /html/.test(headers['content-type'] ?? '')
      ? 'this looks like a web page: is the base URL correct, and is there a proxy or a login page in between?'
      : 'try again; if the problem persists, send the response to the partner manager (-v shows the request)',
    request: call.request,
  })
}

/** Creates the failure for a write that was interrupted after it may have been sent. */
export function interruptedFailure(error: Interrupted, call: CallContext): Failure {
  const { check, request } = call
  const words = `${error.message} while a change was in progress: the change may or may not have been made`
  const hint = check ? `check before you try again: ${check}` : 'check the result before you try again'
  return new Failure('OUTCOME_UNKNOWN', words, { hint, request, outcome: 'unknown' })
}

const NETWORK_HINTS = {
  'name-lookup': 'check the base URL (partner config) and the DNS settings of this machine',
  refused: 'check the base URL (partner config), and that the service or the sandbox is running',
  unreachable: 'check the network and the base URL (partner config)',
  tls: 'check the base URL; a company proxy that decrypts TLS requires NODE_EXTRA_CA_CERTS',
  timeout: 'try again, or allow more time with --timeout 2m',
  'broken-off': 'nothing was changed; try again',
  'too-large': 'request less data, or use a list command, which streams its output',
  'bad-encoding': 'nothing was changed; check whether a proxy alters responses',
  proxy: 'check HTTPS_PROXY and NO_PROXY',
} as const

const NOT_KNOWN = 'it is not known whether this was done'

/** Adds what a later check found, such as `so far the booking has people 2, not 4`, to an OUTCOME_UNKNOWN failure. */
export function withFinding(lost: Failure, finding: string): Failure {
  return lost.withWords(lost.words.replace(NOT_KNOWN, () => `${NOT_KNOWN} (${finding})`))
}

function unknownOutcomeFailure(
  { endpoint, request, check }: CallContext,
  why: string,
  detail: Pick<FailureDetail, 'said' | 'cause'> = {},
): Failure {
  const repeatHint =
    endpoint.write === 'safe-to-repeat' ? 'it is safe to try again' : 'check the result before you try again'
  return new Failure('OUTCOME_UNKNOWN', `${NOT_KNOWN}: ${why}`, {
    hint: check ? `check before you try again: ${check}` : repeatHint,
    request,
    outcome: 'unknown',
    ...detail,
  })
}

/**
 * Creates the failure for a redirect. After a write, the outcome is unknown, because many servers perform a write and
 * then redirect.
 */
function redirectFailure(reply: Reply, { endpoint, request, check }: CallContext): Failure {
  const isWrite = endpoint.write !== 'none'
  const checkHint = isWrite && check ? `; to see whether it was done: ${check}` : ''
  const where = reply.headers['location']
  const words = `the service redirects to ${where}; redirects are not followed, so that no key is sent to another address`
  const hint = `check which base URL is used and what sets it: partner config${checkHint}`
  return new Failure('REJECTED', words, { hint, request, outcome: isWrite ? 'unknown' : 'none' })
}

/** Returns whether the outcome is unknown. A redirect or gateway error does not show whether a write took effect. */
function leavesOutcomeUnknown(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status < 400 || status === 408 || status >= 500)
}

/** Returns the outcome of a call that the service rejected or never received. */
export function outcomeOfRefusal(endpoint: Endpoint): Outcome {
  return endpoint.write === 'none' ? 'none' : 'not-applied'
}

function pickHint(code: FailureCode, known: DocumentedFailure | null, retryAfterMs: number | null, saysWhy: boolean) {
  if (code === 'RATE_LIMITED' && retryAfterMs !== null && retryAfterMs > 1000)
    return `try again in ${Math.ceil(retryAfterMs / 1000)} seconds`
  if (known?.hint) return known.hint
  if (code === 'UNAUTHORIZED') return COMMON_FAILURES.unauthorized.hint ?? ''
  if (code === 'RATE_LIMITED') return 'wait a minute, then run the command again'
  if (code === 'SERVICE_ERROR') return 'try again in a minute; if the problem persists, tell the partner manager'
  if (code === 'NOT_FOUND') return 'check the ID, and that this profile is for the right venue and environment'
  if (code === 'CONFLICT') return 'nothing was changed; look at the existing record'
  if (!saysWhy) return 'use -v to see what was sent, and ask the partner manager why the service rejects it'
  return 'fix the problem that the message describes, and try again; -v shows the request'
}

function findDocumentedFailure(endpoint: Endpoint, status: number, message: string | null): DocumentedFailure | null {
  if (message === null) return null
  const known = [...Object.values(endpoint.failures), ...Object.values(COMMON_FAILURES), keyWithoutVenue]
  return known.find((failure) => failure.status === status && toPattern(failure).test(message.trim())) ?? null
}

function toPattern(failure: DocumentedFailure): RegExp {
  const literal = failure.message.replace(/\.$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  // The message of a 5xx must match to its end, because additional text might say that the write did take effect.
  const end = failure.status >= 500 ? '\\.?$' : ''
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[\\s\\S]*')}${end}`, 'i')
}

function describeReply({ status, headers, text }: Reply): string {
  if (text === null || text === '') return `the service answered ${status} with an empty body`
  const type = headers['content-type']?.split(';')[0] ?? 'unspecified type'
  return `the service answered ${status} with ${text.length} characters of ${type}`
}
