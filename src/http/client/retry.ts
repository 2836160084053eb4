import { LONGEST_TIMER_MS } from '../../base/time/units.ts'
import type { WriteKind } from '../../contract/endpoint.ts'
import { parseRateLimit } from '../../contract/failures.ts'
import { NetworkError } from './errors.ts'
import type { Reply } from './send-once.ts'

export interface RetryPolicy {
  /** The maximum number of times to repeat a request. 0 disables retries. */
  readonly retries: number
  readonly write: WriteKind
  /**
   * The longest wait between two attempts, in milliseconds. If the service asks for a longer wait, the command gives
   * up.
   */
  readonly longestWaitMs: number
}

/**
 * Shows why the command is waiting and returns a function that removes the message. A `news` message takes precedence
 * over a `usual` one.
 */
export type ShowWait = (what: string, rank?: 'usual' | 'news') => () => void

export interface RetryHooks {
  readonly signal?: AbortSignal | undefined
  /** Replaces the default timer-based wait. Throws the signal's abort reason as soon as the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Called before each wait. `why` is a one-line reason. */
  readonly onWait?: (waitMs: number, attempt: number, why: string) => void
  readonly waitsFor?: ShowWait
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number
}

export interface FinalReply {
  readonly reply: Reply
  readonly attempts: number
  /** How long the service asked the client to wait, or `null` if it did not ask. */
  readonly retryAfterMs: number | null
  /** Whether the client gave up because the service asked for a longer wait than is allowed. */
  readonly isWaitTooLong: boolean
}

const RETRIED_READ_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const FIRST_WAIT_MS = 500

/**
 * Repeats a read after any temporary failure. Repeats a write only after a 429, or if the service cannot have received
 * it. Waits as long as the service asks. Throws the NetworkError of the last attempt. Source: "Limits"; "Retries and
 * outcomes".
 */
export async function attemptUntilFinal(
  policy: RetryPolicy,
  hooks: RetryHooks,
  attempt: (attempt: number) => Promise<Reply>,
): Promise<FinalReply> {
  for (let count = 1; ; count++) {
    const outcome = await attempt(count).catch(catchNetworkError)
    const retryAfterMs = outcome instanceof NetworkError ? null : readRetryAfterMs(outcome, hooks.now())
    const isRepeatable = mayRepeat(policy.write, outcome)
    const isWaitTooLong = isRepeatable && (retryAfterMs ?? 0) > policy.longestWaitMs
    if (!isRepeatable || count > policy.retries || isWaitTooLong) {
      if (!(outcome instanceof NetworkError)) return { reply: outcome, attempts: count, retryAfterMs, isWaitTooLong }
      outcome.attempts = count
      throw outcome
    }
    const waitMs = Math.max(retryAfterMs ?? 0, pickBackoffMs(count))
    hooks.onWait?.(waitMs, count, outcome instanceof NetworkError ? outcome.message : `status ${outcome.status}`)
    const next = `try ${count + 1} of ${policy.retries + 1}`
    const wait = describeWait(outcome, waitMs, (retryAfterMs ?? 0) > 0, next)
    await pause(waitMs, hooks).finally(hooks.waitsFor?.(wait, 'news'))
  }
}

/**
 * Formats the reason for a wait, such as `503, try 2 of 4 in 1 s` or `429: waiting 10 s as the service asked, try 2 of
 * 4`.
 */
function describeWait(outcome: Reply | NetworkError, waitMs: number, isAsked: boolean, next: string): string {
  const why = outcome instanceof NetworkError ? outcome.message : String(outcome.status)
  const seconds = Math.max(1, Math.round(waitMs / 1000))
  return isAsked ? `${why}: waiting ${seconds} s as the service asked, ${next}` : `${why}, ${next} in ${seconds} s`
}

function catchNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  throw error
}

function mayRepeat(write: WriteKind, outcome: Reply | NetworkError): boolean {
  if (!(outcome instanceof NetworkError))
    return write === 'none' ? RETRIED_READ_STATUSES.has(outcome.status) : outcome.status === 429
  const { kind, maybeSent } = outcome
  if (kind === 'too-large' || kind === 'bad-encoding' || kind === 'tls') return false
  return write === 'none' || !maybeSent
}

/**
 * Returns the wait after an attempt: 500 ms after the first one, then 1 s, 2 s and so on. Adds up to 25% at random, so
 * that clients do not all retry at the same time.
 */
export function pickBackoffMs(attempt: number): number {
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random() / 4)
}

/**
 * Returns the wait that the service asks for, in milliseconds. Reads `Retry-After` (seconds or a date) or, if a 429 has
 * no such header, the rate-limit window that its message reports. Returns `null` if the service does not ask for a
 * wait.
 */
function readRetryAfterMs({ status, headers, text }: Reply, nowMs: number): number | null {
  const header = headers['retry-after']?.trim()
  if (header && /^\d+$/.test(header)) return Math.min(Number(header), Number.MAX_SAFE_INTEGER / 1000) * 1000
  const at = header ? parseHttpDate(header) : null
  // The date is a time on the service's clock, which the `Date` header shows. Wait until both that clock and the local
  // one have reached it.
  if (at !== null) return Math.max(0, at - nowMs, at - (parseHttpDate(headers['date'] ?? '') ?? nowMs))
  if (status !== 429) return null
  return parseRateLimit(text ?? '')?.windowMs ?? null
}

/** Parses the date in an HTTP header and returns epoch milliseconds, or `null` if the date is invalid. */
export function parseHttpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** Waits for `ms` milliseconds. Throws the signal's abort reason as soon as the signal aborts. */
export function pause(ms: number, { signal, wait = sleep }: RetryHooks): Promise<void> {
  return wait(ms, signal)
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let leftMs = ms
  for (; leftMs > LONGEST_TIMER_MS; leftMs -= LONGEST_TIMER_MS) await sleepOnce(LONGEST_TIMER_MS, signal)
  await sleepOnce(leftMs, signal)
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
