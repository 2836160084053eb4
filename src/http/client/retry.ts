import type { WriteKind } from '../../contract/endpoint.ts'
import { parseRateLimit } from '../../contract/failures.ts'
import { NetworkError } from './errors.ts'
import type { Reply } from './send-once.ts'

/** What may be sent again, and for how long. */
export interface RetryPolicy {
  /** How many times after the first; 0 turns retries off. */
  readonly retries: number
  readonly write: WriteKind
  /** The longest wait between two attempts, milliseconds: a longer `Retry-After` ends the command. */
  readonly longestWaitMs: number
}

export interface RetryHooks {
  readonly signal?: AbortSignal | undefined
  /** Waits by another clock than that of this machine; ends at once, with the reason, when told to stop. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Told before each wait. */
  readonly onWait?: (waitMs: number, attempt: number, why: string) => void
  /** Told right before a request that may change something leaves. */
  readonly onWrite?: () => void
  /** The time now, epoch milliseconds. */
  readonly now: () => number
}

/** How the last attempt was answered. */
export interface FinalReply {
  readonly reply: Reply
  readonly attempts: number
  /** What the service asked to wait; null when it did not say. */
  readonly retryAfterMs: number | null
  /** True when it would have been tried again, had the service not asked to wait longer than a command does. */
  readonly isWaitTooLong: boolean
}

const RETRIED_READ_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const FIRST_WAIT_MS = 500

/**
 * Makes attempts until one is final. Reads are repeated on trouble; a write only when the service refused to look at it (429)
 * or certainly never saw it. Never waits less than the service asked for.
 * Fails: NetworkError of the last attempt. Source: "Limits"; "Retries and outcomes" of the command line.
 */
export async function attemptUntilFinal(
  policy: RetryPolicy,
  hooks: RetryHooks,
  attempt: (attempt: number) => Promise<Reply>,
): Promise<FinalReply> {
  for (let count = 1; ; count++) {
    let reply: Reply | null = null
    let failure: NetworkError | null = null
    try {
      reply = await attempt(count)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      failure = error
    }
    const again = failure
      ? mayRepeat(policy.write, failure)
      : reply !== null && mayRepeatAfter(policy.write, reply.status)
    const asked = reply ? readRetryAfterMs(reply, hooks.now()) : null
    const isWaitTooLong = again && (asked ?? 0) > policy.longestWaitMs
    if (!again || count > policy.retries || isWaitTooLong) {
      if (failure) {
        failure.attempts = count
        throw failure
      }
      if (reply) return { reply, attempts: count, retryAfterMs: asked, isWaitTooLong }
    }
    const waitMs = Math.max(asked ?? 0, pickBackoffMs(count))
    hooks.onWait?.(waitMs, count, failure ? failure.message : `status ${reply?.status}`)
    await pause(waitMs, hooks)
  }
}

function mayRepeat(write: WriteKind, { kind, maybeSent }: NetworkError): boolean {
  if (kind === 'too-large' || kind === 'bad-encoding' || kind === 'tls') return false
  return write === 'none' || !maybeSent
}

function mayRepeatAfter(write: WriteKind, status: number): boolean {
  return write === 'none' ? RETRIED_READ_STATUSES.has(status) : status === 429
}

/** 500 ms, 1 s, 2 s, … with up to a quarter more, so that many clients do not come back at once. */
export function pickBackoffMs(attempt: number): number {
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random() / 4)
}

/** How long the service asked to wait: `Retry-After` in seconds or as a date, else the window that a 429 names. Null: it did not say. */
function readRetryAfterMs({ status, headers, text }: Reply, nowMs: number): number | null {
  const header = headers['retry-after']?.trim()
  if (header && /^\d+$/.test(header)) return Math.min(Number(header), Number.MAX_SAFE_INTEGER / 1000) * 1000
  const at = header ? parseHttpDate(header) : null
  // The date is by the service's clock, and its `Date` says what that shows now: never earlier than either clock has it.
  if (at !== null) return Math.max(0, at - nowMs, at - (parseHttpDate(headers['date'] ?? '') ?? nowMs))
  if (status !== 429) return null
  return parseRateLimit(text ?? '')?.windowMs ?? null
}

/** Epoch milliseconds of a date as HTTP headers have it; null for anything else. */
function parseHttpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** Waits; ends at once, with the reason, when told to stop. */
export function pause(ms: number, { signal, wait = sleep }: RetryHooks): Promise<void> {
  return wait(ms, signal)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
