import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { monotonicMs } from '../../base/stopwatch.ts'
import { ANSWER_TIMEOUT_MS, CREDENTIAL_HEADERS, eventBody, type WebhookEvent } from '../../contract/events.ts'
import type { Row } from '../store/store.ts'

export interface DeliveryAttempt {
  /** The venue's time when the attempt was made (ISO 8601 UTC). */
  readonly at: string
  /** Whether the subscriber responded with a 2xx status. */
  readonly delivered: boolean
  /** The HTTP status, or `null` if no response arrived. */
  readonly status: number | null
  /** The reason why no response arrived, such as `ECONNREFUSED` or `timeout`, or `null` if a response arrived. */
  readonly error: string | null
  readonly ms: number
}

/**
 * Posts an event to its subscriber, with the credentials in headers. Never throws. Calls `onAddress` with the URL's
 * host, and again with the IP address if the host is a name.
 */
export async function postEvent(
  subscription: Row,
  delivery: Row,
  now: number,
  onAddress: (address: string) => void = () => undefined,
): Promise<DeliveryAttempt> {
  const started = monotonicMs()
  const event = String(delivery['event']) as WebhookEvent
  const body = JSON.stringify(eventBody(event, String(delivery['subject']), String(delivery['location'])))
  const [key, token] = [subscription['security_key'], subscription['security_token']] as (string | null)[]
  const outcome = await post(String(subscription['url']), body, credentialHeaders(key, token), onAddress)
  return {
    at: new Date(now).toISOString(),
    delivered: outcome.status !== null && outcome.status >= 200 && outcome.status < 300,
    ...outcome,
    ms: Math.round(monotonicMs() - started),
  }
}

/** Returns the headers with the credentials for a delivery. If a credential is `null`, its header is omitted. */
export function credentialHeaders(key: string | null = null, token: string | null = null): Record<string, string> {
  return {
    ...(key === null ? {} : { [CREDENTIAL_HEADERS.securityKey]: key }),
    ...(token === null ? {} : { [CREDENTIAL_HEADERS.securityToken]: token }),
  }
}

/** Posts JSON to a URL. Never throws. */
export async function post(
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  onAddress: (address: string) => void = () => undefined,
): Promise<Pick<DeliveryAttempt, 'status' | 'error'>> {
  const url = URL.parse(address)
  if (!url) return { status: null, error: 'not a URL' }
  onAddress(url.hostname)
  const request = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  return new Promise((resolve) => {
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    let sent: ClientRequest
    try {
      sent = request(url, { method: 'POST', headers: { ...length, ...headers }, agent: false })
    } catch (error) {
      // The request could not be created, for example because a credential contains a character that headers do not
      // allow.
      resolve({ status: null, error: codeOf(error) })
      return
    }
    sent.on('socket', (socket) => socket.on('lookup', (_error, resolved) => resolved && onAddress(String(resolved))))
    const timer = setTimeout(() => sent.destroy(new Error('timeout')), ANSWER_TIMEOUT_MS)
    // Only the response's status matters. The timer keeps running, so that an endless body cannot keep the connection
    // open.
    sent.on('close', () => clearTimeout(timer))
    sent.on('response', (response: IncomingMessage) => {
      response.resume()
      response.on('error', () => undefined)
      resolve({ status: response.statusCode ?? null, error: null })
      response.on('end', () => sent.destroy())
    })
    sent.on('error', (error) => resolve({ status: null, error: codeOf(error) }))
    sent.end(body)
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown'
}
