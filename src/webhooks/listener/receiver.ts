import { timingSafeEqual } from 'node:crypto'
import { redactUnknownHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { ANSWER_TIMEOUT_MS } from '../../contract/events.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Transport, WireRequest } from '../../http/transport.ts'
import type { Verdict } from '../events/journal/entry.ts'
import { type ReadEvent, readEvent } from '../events/read-event.ts'
import { type DeliveryStore, ForwardingLoop } from './delivery-store.ts'
import type { Mark } from './mark.ts'
import { isAccepted } from './target.ts'

/** A header that each delivery must have. `name` is spelled as the user typed it. */
export type RequiredHeader = { readonly name: string; readonly value: string }

/** A delivery that has been stored and still needs a response. */
export interface Accepted {
  readonly timeMs: number
  /**
   * The deadline for the response, on the `monotonicMs` clock. The service's time limit starts when the delivery
   * arrives.
   */
  readonly answerBy: number
  readonly verdict: Verdict
  readonly read: ReadEvent
  /** All headers, including credentials. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A delivery with its response. `ms` is the time from the arrival to the response. */
export interface Answered extends Accepted {
  readonly status: number
  readonly ms: number
}

export interface ReceiverOptions {
  /** The only path that accepts deliveries, or `null` to accept them at every path. */
  readonly path: string | null
  readonly required: readonly RequiredHeader[]
  /** The origins of web pages that may send deliveries, such as `https://app.example`. */
  readonly allowedOrigins: readonly string[]
  /** The lower-case names of the headers that are stored although they may contain a secret. */
  readonly keptHeaders: readonly string[]
  readonly store: DeliveryStore
  readonly mark: Mark
  /** The maximum number of deliveries to accept, or `null` for no limit. */
  readonly maxDeliveries: number | null
  readonly handle: (accepted: Accepted) => Promise<number>
  readonly onAnswered: (answered: Answered) => void
  readonly onRefused: (status: number, why: string) => void
  readonly now: () => number
}

/** The time limit for handling a delivery, in milliseconds. It leaves time for the response to reach the service. */
const ACT_WITHIN_MS = ANSWER_TIMEOUT_MS - 500

/**
 * Returns a server that stores each delivery and then responds with the status that `handle` returns.
 *
 * The server rejects invalid requests without storing them. The status is 400 if the body is empty or not a JSON
 * object. For other reasons, see `refusalOf`. If the server cannot store a delivery, it responds with 503, so that
 * the service sends the delivery again.
 */
export function openReceiver(receiving: ReceiverOptions): Transport {
  const { maxDeliveries, store, required, keptHeaders, handle, onAnswered, onRefused, now } = receiving
  const keeping = { names: keptHeaders, secrets: required.flatMap(({ value }) => [value, decodedByNode(value)]) }
  let acceptedCount = 0
  const refuse = (status: number, why: string) => {
    onRefused(status, why)
    // Log the reason, but do not reveal it to the sender.
    return jsonReply(status, undefined, status === 405 ? { allow: 'POST' } : {})
  }
  return async (request) => {
    const arrived = monotonicMs()
    const refusal = refusalOf(request, receiving)
    if (refusal) return refuse(...refusal)
    const { body, headers } = request
    if (body === null) return refuse(400, 'the body is empty')
    const read = readEvent(body)
    if (read === null) return refuse(400, 'the body is not a JSON object, or is nested more than 256 levels deep')
    if (maxDeliveries !== null && acceptedCount >= maxDeliveries)
      return refuse(503, `${maxDeliveries} deliveries have already been accepted`)
    acceptedCount++
    const delivery = { timeMs: now(), headers: redactUnknownHeaders(headers, keeping), body }
    let verdict: Verdict
    try {
      verdict = await store.add(delivery, read)
    } catch (error) {
      acceptedCount--
      return refuse(error instanceof ForwardingLoop ? 508 : 503, error instanceof Error ? error.message : String(error))
    }
    const accepted = { timeMs: delivery.timeMs, answerBy: arrived + ACT_WITHIN_MS, verdict, read, headers, body }
    const status = await handle(accepted)
    store.settle?.(delivery, isAccepted(status))
    onAnswered({ ...accepted, status, ms: Math.round(monotonicMs() - arrived) })
    return jsonReply(status, undefined)
  }
}

/** Checks everything except the body. Returns the status and reason for rejecting a request, or `null` to accept it. */
function refusalOf(
  { method, url, headers }: WireRequest,
  { path, required, allowedOrigins, mark }: ReceiverOptions,
): readonly [status: number, why: string] | null {
  const { origin, 'sec-fetch-site': site } = headers
  // Only browsers send these headers. Without this check, every open web page could post to local ports.
  if ((origin !== undefined || site === 'cross-site') && !allowedOrigins.includes(origin ?? ''))
    return [403, `a web page sent it (${origin ?? 'of another site'}); use --allow-origin to accept its deliveries`]
  if (method !== 'POST') return [405, `${method} ${url.pathname} is not a delivery: deliveries are POST requests`]
  if (path !== null && url.pathname !== path) return [404, `${url.pathname} is not ${path}`]
  for (const { name, value } of required) {
    const given = headers[name.toLowerCase()]
    if (given === undefined) return [401, `the ${name} header is missing`]
    if (!equalsSecret(given, value)) return [401, `the ${name} header has a different value`]
  }
  return mark.isOn(headers)
    ? [508, 'this listener has already forwarded it: --forward-to leads back to this listener']
    : null
}

/** Returns a header value as Node reads it: its UTF-8 bytes, decoded as Latin-1. */
function decodedByNode(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

/** Compares two values in constant time. */
function equalsSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'latin1'), Buffer.from(decodedByNode(expected), 'latin1')]
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
