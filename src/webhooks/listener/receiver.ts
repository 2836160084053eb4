import { timingSafeEqual } from 'node:crypto'
import { keepHarmlessHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { ANSWER_WITHIN_MS } from '../../contract/events.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Transport, WireRequest } from '../../http/transport.ts'
import type { Verdict } from '../events/journal/entry.ts'
import { type ReadEvent, readEvent } from '../events/read-event.ts'
import { type Keeper, LeadsBack } from './keeper.ts'
import type { Mark } from './mark.ts'

/** A header that each delivery must carry. */
export interface RequiredHeader {
  /** As the user wrote it. */
  readonly name: string
  readonly value: string
}

/** A delivery that is kept, and whose answer is still to be given. */
export interface Accepted {
  readonly timeMs: number
  /** When its answer must be given, by `monotonicMs`: the service waits from its arrival on, also while it is kept. */
  readonly answerBy: number
  readonly verdict: Verdict
  readonly read: ReadEvent
  /** Names in lower case, as they came, credentials among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A delivery and how it was answered. */
export interface Answered extends Accepted {
  readonly status: number
  /** Milliseconds from its arrival to the answer. */
  readonly ms: number
}

/** What a receiver is made of. */
export interface Receiving {
  /** The one path that takes deliveries; null: all do. */
  readonly path: string | null
  readonly required: readonly RequiredHeader[]
  /** The origins whose web pages may deliver, such as `https://app.example`. */
  readonly allowedOrigins: readonly string[]
  /** Headers whose values are kept although they could be secret, in lower case. */
  readonly keptHeaders: readonly string[]
  readonly keeper: Keeper
  /** Is on each delivery that `act` passes on. */
  readonly mark: Mark
  /** How many deliveries to take; null: as many as come. */
  readonly most: number | null
  /** Does with a delivery what is to be done before the answer, and gives its status. */
  readonly act: (accepted: Accepted) => Promise<number>
  readonly answered: (answered: Answered) => void
  /** Tells why a request was not taken, in words without secrets. */
  readonly refused: (status: number, why: string) => void
  /** The clock of this machine, epoch milliseconds. */
  readonly now: () => number
}

/** The rest of the service's time is for the way of the answer. Milliseconds. */
const ACT_WITHIN_MS = ANSWER_WITHIN_MS - 500

/**
 * Takes deliveries: each is kept before it is answered, and answered once `act` has said how. What is no delivery is refused and
 * not kept: 405, 404, 401 without a required header, 400 for an empty body and for one that is no JSON object. What cannot be
 * kept is answered 503, so that the service sends it again.
 */
export function openReceiver(receiving: Receiving): Transport {
  const { most, keeper, required, keptHeaders, act, answered, refused, now } = receiving
  const keeping = { names: keptHeaders, secrets: required.flatMap(({ value }) => [value, asReadByNode(value)]) }
  let taken = 0
  const refuse = (status: number, why: string) => {
    refused(status, why)
    // Why it was refused is nobody's business there.
    return jsonReply(status, undefined, status === 405 ? { allow: 'POST' } : {})
  }
  return async (request) => {
    const arrived = monotonicMs()
    const refusal = refusalOf(request, receiving)
    if (refusal) return refuse(...refusal)
    const { body, headers } = request
    if (body === null) return refuse(400, 'the body is empty')
    const read = readEvent(body)
    if (read === null) return refuse(400, 'the body is no JSON object, or is nested more than 256 levels deep')
    if (most !== null && taken >= most) return refuse(503, `${most} deliveries have come`)
    taken++
    const timeMs = now()
    let verdict: Verdict
    try {
      verdict = await keeper.keep({ timeMs, headers: keepHarmlessHeaders(headers, keeping), body }, read)
    } catch (error) {
      taken--
      return refuse(error instanceof LeadsBack ? 508 : 503, error instanceof Error ? error.message : String(error))
    }
    const accepted = { timeMs, answerBy: arrived + ACT_WITHIN_MS, verdict, read, headers, body }
    const status = await act(accepted)
    answered({ ...accepted, status, ms: Math.round(monotonicMs() - arrived) })
    return jsonReply(status, undefined)
  }
}

/** Why a request is refused whatever its body is; `null` if it is not. */
function refusalOf(
  { method, url, headers }: WireRequest,
  { path, required, allowedOrigins, mark }: Receiving,
): readonly [status: number, why: string] | null {
  const { origin, 'sec-fetch-site': site } = headers
  // Only browsers send these. Any page that is open on this machine may post to its ports.
  if ((origin !== undefined || site === 'cross-site') && !allowedOrigins.includes(origin ?? ''))
    return [403, `a web page sent it (${origin ?? 'of another site'}): --allow-origin names those that may`]
  if (method !== 'POST') return [405, `${method} ${url.pathname} is no delivery: those are POST`]
  if (path !== null && url.pathname !== path) return [404, `${url.pathname} is not ${path}`]
  for (const { name, value } of required) {
    const given = headers[name.toLowerCase()]
    if (given === undefined) return [401, `the header ${name} is missing`]
    if (!isSame(given, value)) return [401, `the header ${name} has another value`]
  }
  return mark.isOn(headers) ? [508, 'this listener has forwarded it: --forward-to leads back to this listener'] : null
}

/** A header value as Node gives it: Node reads headers as latin1. */
function asReadByNode(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

/** Compares in a time that does not tell how much is right. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'latin1'), Buffer.from(asReadByNode(expected), 'latin1')]
  return a.byteLength === b.byteLength && timingSafeEqual(a, b)
}
