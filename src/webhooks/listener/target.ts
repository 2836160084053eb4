import { HIDDEN, redactUnknownHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { withDeadline } from '../../http/client/deadline.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { openTransport } from '../../http/client/undici.ts'
import type { Environment } from '../../http/proxy-choice.ts'
import type { WireRequest } from '../../http/transport.ts'

/** The result of sending a delivery. */
export interface Sent {
  /** The response's status, or `null` if no response arrived. */
  readonly status: number | null
  /** Why there was no response, or `null` if there was one. */
  readonly error: string | null
  /** The address in a redirect, which is not followed. `null` for any other response. */
  readonly location: string | null
  /** Whether the delivery may have reached the receiver. False only if it is certain that it did not. */
  readonly maybeSent: boolean
  /** The time, in milliseconds, until the response headers arrived or an error occurred. */
  readonly ms: number
}

/** A receiver of deliveries. */
export interface Target {
  readonly url: URL
  /**
   * Posts a delivery on a new connection. Throws Interrupted if the signal is aborted. All other problems are reported
   * in the result.
   */
  post(headers: WireRequest['headers'], body: Uint8Array, limitMs: number, signal?: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** Headers that apply to only one connection and are never forwarded. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns the headers that are forwarded with a delivery. */
export function forwardableHeaders(headers: WireRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)))
}

/**
 * Returns the stored headers to send with a delivery: harmless headers, and the headers in `names` (in lower case).
 * Other headers may contain credentials that an earlier release stored.
 */
export function storedForwardableHeaders(headers: WireRequest['headers'], names: readonly string[]) {
  const kept = redactUnknownHeaders(forwardableHeaders(headers), { names, secrets: [] })
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== HIDDEN))
}

/** Returns whether the service counts a delivery with this response as successful. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * Opens a connection to a receiver, through the proxies in the environment. Throws USAGE if a proxy variable is not an
 * address.
 */
export async function openTarget(url: URL, env: Environment): Promise<Target> {
  const { transport, close } = await openTransport(url, env)
  return {
    url,
    close,
    post: async (headers, body, limitMs, signal) => {
      const started = monotonicMs()
      const ended = (status: number | null, error: string | null, maybeSent: boolean, location = ''): Sent => {
        return { status, error, location: location || null, maybeSent, ms: Math.round(monotonicMs() - started) }
      }
      try {
        const request = { method: 'POST', url, headers, body, connection: 'own', ...(signal && { signal }) } as const
        const { status, headers: answered, body: rest } = await withDeadline(limitMs)(transport)(request)
        const sent = ended(status, null, true, status >= 300 && status < 400 ? answered['location'] : '')
        await readToEnd(rest)
        return sent
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        return ended(null, error.message, error.maybeSent)
      }
    },
  }
}

/** Reads the rest of a response body. Ignores network errors, because only the status matters. */
async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}
