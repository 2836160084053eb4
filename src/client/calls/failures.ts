import type { DocumentedFailure, Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import type { FailureCode } from '../../failure/exit-codes.ts'
import { type FailedRequest, Failure, type FailureDetail, type Outcome } from '../../failure/failure.ts'
import type { NetworkError } from '../../http/client/errors.ts'
import type { FinalReply } from '../../http/client/retry.ts'
import type { Reply } from '../../http/client/send-once.ts'
import { type JsonValue, parseExact } from '../../json/exact.ts'
import { readJsonText } from '../../json/json-text.ts'

/** What is known about a call when it fails. */
export interface CallContext {
  readonly endpoint: Endpoint
  readonly request: FailedRequest
  /** The command that shows what became of a write; null when there is none. */
  readonly check: string | null
}

const STATUS_CODES: Readonly<Record<number, FailureCode>> = {
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
}

/** The failure that an answer outside the documented successes stands for. */
export function refusalFailure(
  reply: Reply,
  call: CallContext,
  { retryAfterMs, isWaitTooLong }: Pick<FinalReply, 'retryAfterMs' | 'isWaitTooLong'>,
): Failure {
  const { status } = reply
  const body = parsed(reply.text)
  const words = readServiceWords(body)
  const known = findDocumentedFailure(call.endpoint, status, words.message)
  if (status >= 300 && status < 400 && reply.headers['location']) return redirectFailure(reply, call)
  const said = [...(words.message === null ? [] : [words.message]), ...words.complaints]
  if (outcomeUnknown(call.endpoint, status, known))
    return unknownOutcomeFailure(call, `the service answered ${status}`, { said })
  const usual = known?.code ?? STATUS_CODES[status] ?? (status >= 500 ? 'SERVICE_ERROR' : 'REJECTED')
  const code = isWaitTooLong ? 'RATE_LIMITED' : usual
  return new Failure(code, words.message === null ? described(reply) : '', {
    said,
    hint: hintFor(code, known, retryAfterMs),
    request: call.request,
    outcome: refusedOutcome(call.endpoint),
    details: body === undefined ? undefined : { answer: body },
  })
}

/** The failure that a missing or broken answer stands for. */
export function networkFailure(error: NetworkError, call: CallContext): Failure {
  if (call.endpoint.write !== 'none' && error.maybeSent)
    return unknownOutcomeFailure(call, error.message, { cause: error })
  const outcome = refusedOutcome(call.endpoint)
  if (error.kind === 'timeout')
    return new Failure('TIMEOUT', `${error.message}: the service is slow or does not answer`, {
      hint: 'try again, or allow more time with --timeout 2m',
      request: call.request,
      outcome,
      cause: error,
    })
  return new Failure('NETWORK_ERROR', error.message, {
    hint: NETWORK_HINTS[error.kind],
    request: call.request,
    outcome,
    cause: error,
  })
}

/** The failure of a success that cannot be read: not JSON, empty, cut off, too deep. */
export function unreadableFailure(
  what: string,
  reply: Pick<Reply, 'headers' | 'text' | 'status'>,
  call: CallContext,
): Failure {
  if (call.endpoint.write !== 'none') return unknownOutcomeFailure(call, what)
  return new Failure('SERVICE_ERROR', what, {
    hint: /html/.test(reply.headers['content-type'] ?? '')
      ? 'this looks like a web page: is the base URL right, and is there a proxy or a login page in between?'
      : 'try again; if it stays, send the answer to the partner manager (-v shows the request)',
    request: call.request,
  })
}

const NETWORK_HINTS = {
  'name-lookup': 'check the base URL (partner profiles show) and the name service of this machine',
  refused: 'check the base URL (partner profiles show); is the service, or the sandbox, running?',
  unreachable: 'check the network and the base URL (partner profiles show)',
  tls: 'check the base URL; a company proxy that opens TLS needs NODE_EXTRA_CA_CERTS',
  timeout: 'try again, or allow more time with --timeout 2m',
  'broken-off': 'nothing was changed; try again',
  'too-large': 'ask for less, or use a list command, which streams',
  'bad-encoding': 'nothing was changed; is a proxy in between that changes answers?',
  proxy: 'check HTTPS_PROXY and NO_PROXY',
} as const

function unknownOutcomeFailure(
  call: CallContext,
  why: string,
  detail: Pick<FailureDetail, 'said' | 'cause'> = {},
): Failure {
  const harmless = call.endpoint.write === 'safe-to-repeat'
  return new Failure('OUTCOME_UNKNOWN', `it is not known whether this was done: ${why}`, {
    hint: call.check
      ? `check before you do it again: ${call.check}`
      : harmless
        ? 'doing it again does no harm'
        : 'look at the result before you do it again',
    request: call.request,
    outcome: 'unknown',
    ...detail,
  })
}

/** After a write: many programs answer a form that they took with a redirect, so it does not say that nothing was done. */
function redirectFailure(reply: Reply, call: CallContext): Failure {
  const { write } = call.endpoint
  return new Failure(
    'REJECTED',
    `the service redirects to ${reply.headers['location']}, which is not followed: a key must not go to another address`,
    {
      hint: 'correct the base URL of this profile: partner profiles set',
      request: call.request,
      outcome: write === 'money' || write === 'once' ? 'unknown' : refusedOutcome(call.endpoint),
    },
  )
}

/** After a write, a gateway's error says nothing about what the service did, and neither does a 3xx; its own documented words do. */
function outcomeUnknown(endpoint: Endpoint, status: number, known: DocumentedFailure | null): boolean {
  if (endpoint.write === 'none' || known !== null) return false
  return status < 400 || status === 408 || status >= 500
}

function refusedOutcome(endpoint: Endpoint): Outcome {
  return endpoint.write === 'none' ? 'none' : 'not-applied'
}

function hintFor(code: FailureCode, known: DocumentedFailure | null, retryAfterMs: number | null): string {
  if (code === 'RATE_LIMITED' && retryAfterMs !== null && retryAfterMs > 1000)
    return `come back in ${Math.ceil(retryAfterMs / 1000)} seconds`
  if (known?.hint) return known.hint
  if (code === 'SERVICE_ERROR') return 'try again in a minute; if it stays, tell the partner manager'
  if (code === 'NOT_FOUND') return 'check the ID, and that this profile is for the right venue and environment'
  if (code === 'CONFLICT') return 'look at what is there already; nothing was changed'
  return 'correct what the message names, and try again; -v shows the request'
}

/** The documented refusal that an answer is, by status and words. Null: none. */
export function findDocumentedFailure(
  endpoint: Endpoint,
  status: number,
  message: string | null,
): DocumentedFailure | null {
  const all = [...Object.values(endpoint.failures), ...Object.values(COMMON_FAILURES)]
  return (
    all.find((failure) => failure.status === status && message !== null && patternOf(failure).test(message.trim())) ??
    null
  )
}

function patternOf(failure: DocumentedFailure): RegExp {
  const literal = failure.message.replace(/\.$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  // More words after a 500's own could say anything, also that it was done.
  const end = failure.status >= 500 ? '\\.?$' : ''
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[\\s\\S]*')}${end}`, 'i')
}

function described(reply: Reply): string {
  const type = reply.headers['content-type']?.split(';')[0]
  const size =
    reply.text === null || reply.text === ''
      ? 'an empty body'
      : `${reply.text.length} characters of ${type ?? 'unnamed content'}`
  return `the service answered ${reply.status} with ${size}`
}

function parsed(text: string | null): JsonValue | undefined {
  try {
    return text === null || text.trim() === '' ? undefined : parseExact(readJsonText(Buffer.from(text)))
  } catch {
    return undefined
  }
}
