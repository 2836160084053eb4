import { HIDDEN, keepHarmlessHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { withDeadline } from '../../http/client/deadline.ts'
import { NetworkError } from '../../http/client/errors.ts'
import { openTransport } from '../../http/client/undici.ts'
import type { Environment } from '../../http/proxy-choice.ts'
import type { WireRequest } from '../../http/transport.ts'

/** What became of a delivery that was sent to a receiver. */
export interface Sent {
  /** Its status; null when no answer came. */
  readonly status: number | null
  /** Why no answer came, in words; null after an answer. */
  readonly error: string | null
  /** Where an answer from 300 to 399 leads, as it says; nobody follows it. Null otherwise. */
  readonly location: string | null
  /** False only when the receiver certainly never saw it. */
  readonly maybeSent: boolean
  /** Milliseconds to the head of the answer, or to the error. */
  readonly ms: number
}

/** A receiver of deliveries. */
export interface Target {
  readonly url: URL
  /**
   * Posts a body, byte for byte, on a connection of its own, and waits `limitMs` for the answer. Fails: Interrupted, when the
   * signal is aborted; never because of the receiver.
   */
  post(headers: WireRequest['headers'], body: Uint8Array, limitMs: number, signal?: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** Headers that are about one connection, or that follow from what is sent. */
const OF_THE_CONNECTION = new Set([
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

/** The headers of a delivery that go on with it to another receiver. */
export function headersToPassOn(headers: WireRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)))
}

/**
 * Returns the headers of a stored delivery to send to a receiver. Earlier releases stored credentials in headers that they did not know,
 * so only harmless headers and those in `names`, in lower case, are sent.
 */
export function storedHeadersToPassOn(headers: WireRequest['headers'], names: readonly string[]) {
  const kept = keepHarmlessHeaders(headersToPassOn(headers), { names, secrets: [] })
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== HIDDEN))
}

/** True for a status that tells the service that a delivery has arrived. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Opens a receiver. Proxies are those of the environment. Fails: USAGE when a proxy variable holds no address. */
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

/** The status is what counts: a body that breaks off, or that never ends, changes nothing. */
async function readToEnd(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}
