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
  /** The command that shows what became of a write, or null. */
  readonly check: string | null
}

const STATUS_CODES: Readonly<Record<number, FailureCode>> = {
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
}

/** The failure of a call that the service rejected: its status is not a documented success. */
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
  const words = isTimeout ? `${error.message}: the service is slow or does not answer` : error.message
  return new Failure(isTimeout ? 'TIMEOUT' : 'NETWORK_ERROR', words, {
    hint: NETWORK_HINTS[error.kind],
    request: call.request,
    outcome: outcomeOfRefusal(call.endpoint),
    cause: error,
  })
}

/** The failure of a successful response that cannot be read. */
export function unreadableFailure(what: string, { headers }: Pick<Reply, 'headers'>, call: CallContext): Failure {
  if (call.endpoint.write !== 'none') return unknownOutcomeFailure(call, what)
  return new Failure('SERVICE_ERROR', what, {
    hint: /html/.test(headers['content-type'] ?? '')
      ? 'this looks like a web page: is the base URL right, and is there a proxy or a login page in between?'
      : 'try again; if it stays, send the answer to the partner manager (-v shows the request)',
    request: call.request,
  })
}

/** The failure of a write that was interrupted after it may have left. */
export function interruptedFailure(error: Interrupted, call: CallContext): Failure {
  const { check, request } = call
  const words = `${error.message} while a change was under way: it is not known whether it was made`
  const hint = check ? `check before you do it again: ${check}` : 'look at the result before you do it again'
  return new Failure('OUTCOME_UNKNOWN', words, { hint, request, outcome: 'unknown' })
}

const NETWORK_HINTS = {
  'name-lookup': 'check the base URL (partner config) and the name service of this machine',
  refused: 'check the base URL (partner config); is the service, or the sandbox, running?',
  unreachable: 'check the network and the base URL (partner config)',
  tls: 'check the base URL; a company proxy that opens TLS needs NODE_EXTRA_CA_CERTS',
  timeout: 'try again, or allow more time with --timeout 2m',
  'broken-off': 'nothing was changed; try again',
  'too-large': 'ask for less, or use a list command, which streams',
  'bad-encoding': 'nothing was changed; is a proxy in between that changes answers?',
  proxy: 'check HTTPS_PROXY and NO_PROXY',
} as const

const NOT_KNOWN = 'it is not known whether this was done'

/** Adds a finding to an unknown outcome: `so far the booking has people 2, not 4`. */
export function withFinding(lost: Failure, finding: string): Failure {
  return lost.withWords(lost.words.replace(NOT_KNOWN, () => `${NOT_KNOWN} (${finding})`))
}

function unknownOutcomeFailure(
  { endpoint, request, check }: CallContext,
  why: string,
  detail: Pick<FailureDetail, 'said' | 'cause'> = {},
): Failure {
  const repeatHint =
    endpoint.write === 'safe-to-repeat' ? 'doing it again does no harm' : 'look at the result before you do it again'
  return new Failure('OUTCOME_UNKNOWN', `${NOT_KNOWN}: ${why}`, {
    hint: check ? `check before you do it again: ${check}` : repeatHint,
    request,
    outcome: 'unknown',
    ...detail,
  })
}

/** Many programs accept a form and then redirect, so after a write the outcome is unknown. */
function redirectFailure(reply: Reply, { endpoint, request, check }: CallContext): Failure {
  const isWrite = endpoint.write !== 'none'
  const checkHint = isWrite && check ? `; to see whether it was done: ${check}` : ''
  const where = reply.headers['location']
  const words = `the service redirects to ${where}, which is not followed: a key must not go to another address`
  const hint = `see which base URL is used, and what sets it: partner config${checkHint}`
  return new Failure('REJECTED', words, { hint, request, outcome: isWrite ? 'unknown' : 'none' })
}

/** After a write, a 3xx or a gateway's error does not tell what the service did. */
function leavesOutcomeUnknown(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status < 400 || status === 408 || status >= 500)
}

/** What became of a change that the service rejected or never received. */
export function outcomeOfRefusal(endpoint: Endpoint): Outcome {
  return endpoint.write === 'none' ? 'none' : 'not-applied'
}

function pickHint(code: FailureCode, known: DocumentedFailure | null, retryAfterMs: number | null, saysWhy: boolean) {
  if (code === 'RATE_LIMITED' && retryAfterMs !== null && retryAfterMs > 1000)
    return `come back in ${Math.ceil(retryAfterMs / 1000)} seconds`
  if (known?.hint) return known.hint
  if (code === 'UNAUTHORIZED') return COMMON_FAILURES.unauthorized.hint ?? ''
  if (code === 'RATE_LIMITED') return 'wait a minute, then run the command again'
  if (code === 'SERVICE_ERROR') return 'try again in a minute; if it stays, tell the partner manager'
  if (code === 'NOT_FOUND') return 'check the ID, and that this profile is for the right venue and environment'
  if (code === 'CONFLICT') return 'look at what is there already; nothing was changed'
  if (!saysWhy) return 'see what was sent with -v, and ask the partner manager why it is refused'
  return 'correct what the message names, and try again; -v shows the request'
}

function findDocumentedFailure(endpoint: Endpoint, status: number, message: string | null): DocumentedFailure | null {
  if (message === null) return null
  const known = [...Object.values(endpoint.failures), ...Object.values(COMMON_FAILURES), keyWithoutVenue]
  return known.find((failure) => failure.status === status && toPattern(failure).test(message.trim())) ?? null
}

function toPattern(failure: DocumentedFailure): RegExp {
  const literal = failure.message.replace(/\.$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  // Further words after those of a 500 could say that it was done after all.
  const end = failure.status >= 500 ? '\\.?$' : ''
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[\\s\\S]*')}${end}`, 'i')
}

function describeReply({ status, headers, text }: Reply): string {
  if (text === null || text === '') return `the service answered ${status} with an empty body`
  const type = headers['content-type']?.split(';')[0] ?? 'unnamed content'
  return `the service answered ${status} with ${text.length} characters of ${type}`
}
