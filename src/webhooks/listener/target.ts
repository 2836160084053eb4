import { HIDDEN, redactUnknownHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { withDeadline } from '../../http/client/deadline.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { openTransport } from '../../http/client/undici.ts'
import type { Environment } from '../../http/proxy-choice.ts'
import type { WireRequest } from '../../http/transport.ts'

/** The result of sending a delivery. */
export interface Sent {
  /** The status of the response; `null` without a response. */
  readonly status: number | null
  /** The reason for a missing response; `null` if a response arrived. */
  readonly error: string | null
  /** The target of a redirect, which is not followed; `null` for any other response. */
  readonly location: string | null
  /** False only if the delivery certainly did not reach the receiver. */
  readonly maybeSent: boolean
  /** The time until the head of the response, or until the error. Milliseconds. */
  readonly ms: number
}

/** A receiver of deliveries. */
export interface Target {
  readonly url: URL
  /**
   * Posts a delivery on a new connection. Fails: Interrupted if the signal is aborted; never because of the receiver.
   */
  post(headers: WireRequest['headers'], body: Uint8Array, limitMs: number, signal?: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** Headers that concern only one connection, and are never forwarded. */
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

/** Returns the headers to forward with a delivery. */
export function forwardableHeaders(headers: WireRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name)))
}

/**
 * Returns the stored headers to send with a delivery: harmless ones and those in `names` (in lower case). Others may
 * contain credentials that an earlier release stored.
 */
export function storedForwardableHeaders(headers: WireRequest['headers'], names: readonly string[]) {
  const kept = redactUnknownHeaders(forwardableHeaders(headers), { names, secrets: [] })
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== HIDDEN))
}

/** Whether the service considers a delivery with this response as delivered. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Opens a receiver, through the proxies of the environment. Throws USAGE if a proxy variable is not an address. */
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

/** Reads the rest of a response body. Network errors are ignored, because only the status counts. */
async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}
