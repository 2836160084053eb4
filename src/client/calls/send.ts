import type { Endpoint } from '../../contract/endpoint.ts'
import { parseRateLimit } from '../../contract/failures.ts'
import { type FailedRequest, Failure } from '../../failure/failure.ts'
import { Interrupted } from '../../failure/interrupted.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { attemptUntilFinal, pause } from '../../http/client/retry.ts'
import { type Reply, sendOnce } from '../../http/client/send-once.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import { type CallContext, networkFailure, refusalFailure, unreadableFailure } from './failures.ts'
import { describeLimit } from './pace.ts'
import { type CallInput, fillPath, prepare } from './prepare.ts'

export interface CallOptions {
  /** The command that shows what became of this write, should its answer be lost. */
  readonly check?: string | null | undefined
  /** Told right before each attempt. What it throws ends the call, and that attempt is not made. */
  readonly onSend?: (() => void) | undefined
  /** Looks whether the answer to a write is a success; fails when it is not. `isSuccess: false` is none unless given. */
  readonly accept?: ((answer: Answer) => void) | undefined
  /** Send it over a connection of its own, so that the answer to another request is never taken for its answer. */
  readonly ownConnection?: boolean | undefined
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
  const connection = endpoint.write === 'money' || options.ownConnection ? 'own' : 'shared'
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
    await pause(limit.waitMs, hooks)
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
