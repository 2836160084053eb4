import type { Endpoint } from '../contract/endpoint.ts'
import { anything } from '../contract/scalars.ts'
import { type FailedRequest, Failure } from '../failure/failure.ts'
import { type JsonValue, parseExact } from '../json/exact.ts'
import { checkedText } from '../json/guard.ts'
import { Interrupted, NetworkError } from './errors.ts'
import { type Exchange, exchange } from './exchange.ts'
import { type CallInput, pathOf, prepare } from './prepare.ts'
import { brokenBy, type FailedCall, refusedBy, unreadable } from './refused.ts'
import { attemptsOf, attemptUntilFinal, type RetryHooks } from './retry.ts'
import type { Transport } from './transport.ts'

/** What every call of one command shares. */
export interface Caller {
  readonly baseUrl: URL
  /** With the key, the deadline and the trace already around it. */
  readonly transport: Transport
  /** For messages; null when the address came without a profile. */
  readonly profile: string | null
  readonly retries: number
  /** The longest that one wait between attempts may take, milliseconds. */
  readonly longestWaitMs: number
  readonly hooks: RetryHooks
}

/** A whole answer. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent; empty where the endpoint answers with nothing. */
  readonly text: string
  /** The body parsed, numbers exact; null for an empty body. */
  readonly value: JsonValue
  /** The call, for what finds fault with the answer later. */
  readonly call: FailedCall
}

export interface CallOptions {
  /** The command that shows what became of this write, should its answer be lost. */
  readonly check?: string | undefined
}

/**
 * Calls an endpoint and reads its whole answer.
 * Fails: Failure with the exit code of what happened; Interrupted.
 */
export async function call<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Answer> {
  const { final, failed } = await begin(caller, endpoint, input, options, false)
  const bytes = final.bytes ?? new Uint8Array()
  if (bytes.byteLength === 0) {
    if (mayBeEmpty(endpoint, final.status))
      return { status: final.status, headers: final.headers, text: '', value: null, call: failed }
    throw unreadable('the service answered with nothing where JSON was due', final, failed)
  }
  if (final.status === 304) return { status: 304, headers: final.headers, text: '', value: null, call: failed }
  try {
    const text = checkedText(bytes)
    return { status: final.status, headers: final.headers, text, value: parseExact(text), call: failed }
  } catch (error) {
    if (mayBeEmpty(endpoint, final.status))
      return { status: final.status, headers: final.headers, text: '', value: null, call: failed }
    throw unreadable(
      `the answer cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
      final,
      failed,
    )
  }
}

/** An answer that is being read. */
export interface StreamedAnswer {
  readonly body: AsyncIterable<Uint8Array>
  readonly failed: FailedCall
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
  const { final, failed } = await begin(caller, endpoint, input, {}, true)
  if (final.body === null) throw unreadable('the service answered with nothing where JSON was due', final, failed)
  return { body: final.body, failed, headers: final.headers }
}

async function begin<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions,
  stream: boolean,
): Promise<{ final: Exchange; failed: FailedCall }> {
  const request = prepare(endpoint, input, caller.baseUrl)
  const signal = caller.hooks.signal
  const failedAfter = (status: number | null, attempts: number): FailedCall => ({
    endpoint,
    request: requestOf(caller, endpoint, input, status, attempts),
    check: options.check ?? null,
  })
  try {
    const policy = { retries: caller.retries, write: endpoint.write, longestWaitMs: caller.longestWaitMs }
    const {
      exchange: final,
      attempts,
      comeBackMs,
    } = await attemptUntilFinal(policy, caller.hooks, (attempt) =>
      exchange(caller.transport, { ...request, attempt, ...(signal ? { signal } : {}) }, stream),
    )
    const failed = failedAfter(final.status, attempts)
    if (!(final.status in endpoint.responses)) {
      if (final.status >= 200 && final.status < 300) return { final, failed }
      throw refusedBy(final, failed, comeBackMs)
    }
    return { final, failed }
  } catch (error) {
    if (error instanceof NetworkError) throw brokenBy(error, failedAfter(null, attemptsOf(error)))
    if (error instanceof Interrupted && endpoint.write !== 'none')
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

function requestOf(
  caller: Caller,
  endpoint: Endpoint,
  input: CallInput,
  status: number | null,
  attempts: number,
): FailedRequest {
  return {
    method: endpoint.method,
    path: pathOf(endpoint, input.path ?? {}),
    profile: caller.profile,
    status,
    attempts,
  }
}

/** Answers whose shape is not shown may be anything, nothing included. */
function mayBeEmpty(endpoint: Endpoint, status: number): boolean {
  const shape = endpoint.responses[status]
  return status === 204 || status === 304 || (shape !== undefined && endpoint.write !== 'none' && shape === anything)
}
