import { type FailedRequest, Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { parseRateLimit } from '../../contract/failures.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { attemptUntilFinal, pause } from '../../http/client/retry.ts'
import { type Reply, sendOnce } from '../../http/client/send-once.ts'
import type { Release } from '../send-gate.ts'
import type { Caller, CallHooks } from './caller.ts'
import type { CallContext } from './failures.ts'
import { interruptedFailure, networkFailure, outcomeOfRefusal, refusalFailure, unreadableFailure } from './failures.ts'
import { describeLimit } from './pace.ts'
import { type CallInput, fillPath, prepare } from './prepare.ts'

export interface SendOptions {
  /** The command that shows whether the write took effect, to be used if the response is lost. */
  readonly check?: string | null | undefined
  /** Called before each attempt. If it throws, the call is abandoned. */
  readonly onSend?: (() => void | Promise<void>) | undefined
  /**
   * Whether to use a separate connection, so that no other response can be mistaken for the response to this request.
   */
  readonly ownConnection?: boolean | undefined
  readonly stream?: boolean
  readonly onFinal?: ((reply: Reply) => void) | undefined
}

export type Sent = { readonly reply: Reply; readonly call: CallContext }

/** Sends a request and retries it if a retry is safe and might succeed. Throws Failure or Interrupted. */
export async function send<E extends Endpoint>(caller: Caller, endpoint: E, input: CallInput<E>, options: SendOptions) {
  const { hooks, profile, retries, longestWaitMs } = caller
  const isWrite = endpoint.write !== 'none'
  // Writes never reuse an idle connection. If the service closed it during the write, the outcome would be unknown.
  const connection = isWrite || options.ownConnection ? 'own' : 'shared'
  const signal = hooks.signal ? { signal: hooks.signal } : {}
  const prepared = prepare(endpoint, input, caller)
  const trace = hooks.traceRequest?.(endpoint)
  const headers = { ...trace?.headers, ...prepared.headers }
  const request = { ...prepared, headers, connection, ...signal } as const
  const path = fillPath(endpoint, input.path ?? {})
  const describeCall = (status: number | null, attempts: number): CallContext => ({
    endpoint,
    request: { method: endpoint.method, path, profile, status, attempts },
    check:
      options.check && profile !== null
        ? `${options.check} --profile ${quoteShellWord(profile)}`
        : (options.check ?? null),
  })
  try {
    const policy = { retries, write: endpoint.write, longestWaitMs }
    const final = await attemptUntilFinal(policy, hooks, async (attempt) => {
      const release = await takeTurn(caller, () =>
        keepPace(caller, endpoint, () => describeCall(null, attempt - 1).request),
      )
      let isRefused = false
      try {
        if (options.onSend) await options.onSend()
        if (isWrite) await hooks.onWrite?.()
        const over = hooks.waitsFor?.(isWrite ? SENT : `waiting for the response: ${endpoint.method} ${path}`)
        const reply = await sendOnce(caller.transport, { ...request, attempt }, options.stream ?? false).finally(over)
        isRefused = reply.status === 429
        const limit = isRefused ? parseRateLimit(reply.text ?? '') : null
        if (limit) caller.pace.learn(endpoint, limit, hooks.now())
        return reply
      } finally {
        release(isRefused)
      }
    })
    const { attempts } = final
    const endTrace = () => trace?.end(final.reply.status, attempts)
    endTrace()
    const reply = final.reply.body
      ? { ...final.reply, body: withWaitNotice(final.reply.body, endpoint, hooks, endTrace) }
      : final.reply
    options.onFinal?.(reply)
    const call = describeCall(reply.status, attempts)
    if (reply.status in endpoint.responses) return { reply, call }
    if (reply.status === 202 && isWrite && endpoint.answer !== 'any')
      throw unreadableFailure(ONLY_ACCEPTED, reply, call)
    if (reply.status >= 200 && reply.status < 300) return { reply, call }
    throw refusalFailure(final, call)
  } catch (error) {
    if (error instanceof NetworkError) {
      trace?.end(null, error.attempts)
      throw networkFailure(error, describeCall(null, error.attempts))
    }
    if (error instanceof Interrupted && error.maybeSent && isWrite)
      throw interruptedFailure(error, describeCall(null, 1))
    throw error
  }
}

/** Waits for the send gate and the rate limits. Returns a function that releases the gate. */
async function takeTurn({ sendGate, hooks }: Caller, waitForSlot: () => Promise<void>): Promise<Release> {
  if (sendGate) return sendGate.acquire((ms) => pause(ms, hooks), waitForSlot)
  await waitForSlot()
  return () => {}
}

const ONLY_ACCEPTED = 'the service answered 202: it accepted the request, but did not confirm the change'
const SENT = 'sent, waiting for the response; Ctrl-C leaves the outcome unknown'

async function* withWaitNotice(
  body: AsyncIterable<Uint8Array>,
  { list }: Endpoint,
  { waitsFor }: CallHooks,
  onEnd: () => void,
) {
  const over = waitsFor?.(list === undefined ? 'receiving the response' : 'receiving the list')
  try {
    yield* body
  } finally {
    over?.()
    onEnd()
  }
}

/** Waits until the known rate limits allow another request. Throws RATE_LIMITED if the wait would be too long. */
async function keepPace(caller: Caller, endpoint: Endpoint, describeRequest: () => FailedRequest): Promise<void> {
  const { pace, pacing, hooks, longestWaitMs } = caller
  for (let waitedMs = 0; ; ) {
    const now = hooks.now()
    const limit = pace.reserveSlot(endpoint, now, pacing)
    if (limit === null) return
    if (waitedMs + limit.waitMs > longestWaitMs)
      throw new Failure('RATE_LIMITED', `the limit is used up: ${describeLimit(limit, endpoint, now)}`, {
        hint: `try again in ${Math.ceil(limit.waitMs / 1000)} seconds, or remove ${pace.path} to try immediately`,
        request: describeRequest(),
        outcome: outcomeOfRefusal(endpoint),
      })
    hooks.onPace?.(limit, endpoint)
    const seconds = Math.max(1, Math.ceil(limit.waitMs / 1000))
    await pause(limit.waitMs, hooks).finally(
      hooks.waitsFor?.(`waiting ${seconds} s to stay within the service's limit`),
    )
    waitedMs += limit.waitMs
  }
}
