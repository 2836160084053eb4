import type { Endpoint } from '../../contract/endpoint.ts'
import { parseRateLimit } from '../../contract/failures.ts'
import { anything } from '../../contract/shapes/scalars.ts'
import { type FailedRequest, Failure } from '../../failure/failure.ts'
import { Interrupted } from '../../failure/interrupted.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { attemptUntilFinal, type RetryHooks, sleep } from '../../http/client/retry.ts'
import { type Reply, sendOnce } from '../../http/client/send-once.ts'
import type { Transport } from '../../http/transport.ts'
import { isJsonObject, type JsonValue, parseExact } from '../../json/exact.ts'
import { readJsonText } from '../../json/json-text.ts'
import { hasRepeatedMember } from '../../json/repeated-member.ts'
import type { Answer } from './answer.ts'
import { type CallContext, networkFailure, refusalFailure, unreadableFailure } from './failures.ts'
import { describeLimit, type LearnedLimit, type Pace, type Pacing } from './pace.ts'
import { type CallInput, fillPath, prepare } from './prepare.ts'
import { rejectFailure } from './success.ts'

/** What is told of, while calls are made. */
export interface CallHooks extends RetryHooks {
  /** Told before each wait for a place within a limit that the service named earlier. */
  readonly onPace?: (limit: LearnedLimit, endpoint: Endpoint) => void
}

/** What every call of one command shares. */
export interface Caller {
  readonly baseUrl: URL
  /** With the key, the deadline and the trace already around it. */
  readonly transport: Transport
  /** For messages; null when the address came without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** How long one attempt may take, milliseconds; the transport sees to it. */
  readonly attemptMs: number
  /** The longest that one wait between attempts may take, milliseconds. */
  readonly longestWaitMs: number
  readonly hooks: CallHooks
  /** Keeps to the limits that the service has named. */
  readonly pace: Pace
  /** `keep` when absent. `ignore` for what must find out at once what became of money. */
  readonly pacing?: Pacing
}

export interface CallOptions {
  /** The command that shows what became of this write, should its answer be lost. */
  readonly check?: string | null | undefined
  /** Told right before each attempt. What it throws ends the call, and that attempt is not made. */
  readonly onSend?: (() => void) | undefined
  /** Looks whether the answer to a write is a success; fails when it is not. `isSuccess: false` is none unless given. */
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

/**
 * Makes attempts until one is an answer that counts; with `stream`, a success is left to be read.
 * @param onFinal is told of the last answer, a refusal included.
 * Fails: like {@link call}, except that the body is not looked at.
 */
export async function send<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
  stream: boolean,
  onFinal: (final: Reply) => void = () => {},
): Promise<{ final: Reply; failed: CallContext }> {
  const connection = endpoint.write === 'money' ? 'own' : 'shared'
  const request = { ...prepare(endpoint, input, caller.baseUrl), connection } as const
  const signal = caller.hooks.signal
  const failedAfter = (status: number | null, attempts: number): CallContext => ({
    endpoint,
    request: requestOf(caller, endpoint, input, status, attempts),
    check: options.check ?? null,
  })
  try {
    const policy = { retries: caller.retries, write: endpoint.write, longestWaitMs: caller.longestWaitMs }
    const {
      reply: final,
      attempts,
      retryAfterMs,
      isWaitTooLong,
    } = await attemptUntilFinal(policy, caller.hooks, async (attempt) => {
      await keepPace(caller, endpoint, () => failedAfter(null, attempt - 1).request)
      options.onSend?.()
      if (endpoint.write !== 'none') caller.hooks.onWrite?.()
      const answered = await sendOnce(caller.transport, { ...request, attempt, ...(signal ? { signal } : {}) }, stream)
      const limit = answered.status === 429 ? parseRateLimit(answered.text ?? '') : null
      if (limit) caller.pace.learn(endpoint, limit, caller.hooks.now())
      return answered
    })
    onFinal(final)
    const failed = failedAfter(final.status, attempts)
    if (!(final.status in endpoint.responses)) {
      if (final.status === 202 && endpoint.write !== 'none')
        throw unreadableFailure('the service answered 202: it took it, and did not say that it did it', final, failed)
      if (final.status >= 200 && final.status < 300) return { final, failed }
      throw refusalFailure(final, failed, { retryAfterMs, isWaitTooLong })
    }
    return { final, failed }
  } catch (error) {
    if (error instanceof NetworkError) throw networkFailure(error, failedAfter(null, error.attempts))
    if (error instanceof Interrupted && error.maybeSent && endpoint.write !== 'none')
      throw new Failure(
        'OUTCOME_UNKNOWN',
        `${error.message} while a change was under way: it is not known whether it was made`,
        {
          hint: options.check
            ? `check before you do it again: ${options.check}`
            : 'look at the result before you do it again',
          request: failedAfter(null, 1).request,
          outcome: 'unknown',
        },
      )
    throw error
  }
}

/** Waits for a place in the window of an endpoint whose limit is known. Fails: RATE_LIMITED when that would take too long. */
async function keepPace(caller: Caller, endpoint: Endpoint, request: () => FailedRequest): Promise<void> {
  const { pace, pacing, hooks, longestWaitMs } = caller
  for (let waitedMs = 0; ; ) {
    const now = hooks.now()
    const limit = pace.takePlace(endpoint, now, pacing)
    if (limit === null) return
    if (waitedMs + limit.waitMs > longestWaitMs)
      throw new Failure('RATE_LIMITED', `the limit is used up: ${describeLimit(limit, endpoint, now)}`, {
        hint: `come back in ${Math.ceil(limit.waitMs / 1000)} seconds, or remove ${pace.path} to try at once`,
        request: request(),
        outcome: endpoint.write === 'none' ? 'none' : 'not-applied',
      })
    hooks.onPace?.(limit, endpoint)
    await sleep(limit.waitMs, hooks.signal)
    waitedMs += limit.waitMs
  }
}

function requestOf(
  caller: Caller,
  endpoint: Endpoint,
  input: CallInput,
  status: number | null,
  attempts: number,
): FailedRequest {
  return {
    method: endpoint.method,
    path: fillPath(endpoint, input.path ?? {}),
    profile: caller.profile,
    status,
    attempts,
  }
}

/** An answer to a write whose shape is not shown may be anything, nothing included; a read without an answer is none. */
function mayBeEmpty(endpoint: Endpoint, status: number): boolean {
  return endpoint.write !== 'none' && (status === 204 || endpoint.responses[status] === anything)
}

function isWebPage({ headers, text }: Reply): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text ?? '')
}
