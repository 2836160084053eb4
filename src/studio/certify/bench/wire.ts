import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '../../../base/json/exact.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import { WholeBody } from '../../../http/server/reply.ts'
import type { WireReply, WireRequest } from '../../../http/transport.ts'
import type { Arrival, Outcome } from '../../../sandbox/app/request.ts'
import type { Recording } from '../../../sandbox/journal/har.ts'

/** An incoming request, including its key and signature, and the status of its response. */
export interface SeenRequest {
  readonly request: WireRequest
  /** When the request arrived, in milliseconds on the monotonic clock. */
  readonly arrivedMs: number
  /** The status of the response, or `null` if there is none yet. */
  status: number | null
}

type WholeReply = WireReply & { readonly body: WholeBody }

/**
 * A layer between an integration and the sandbox. It observes every request and can respond to requests or change
 * responses.
 */
export class Wire {
  readonly seen: SeenRequest[] = []
  /** If set, this function responds to requests instead of the service. If it returns `null`, the service responds. */
  before: ((arrival: Arrival) => Outcome | null | Promise<Outcome | null>) | null = null
  /**
   * If set, this function changes lists of bookings before they are sent. `madeAt` is the venue's time when the list
   * was created.
   */
  changeList: ((reply: WholeReply, madeAt: number) => WireReply | Promise<WireReply>) | null = null
  inProgress = 0

  /** This layer as middleware for `sandboxApp`. The journal records the responses that the layer returns. */
  readonly recording: Recording = (next) => async (arrival) => {
    const seen: SeenRequest = { request: arrival.request, arrivedMs: monotonicMs(), status: null }
    this.seen.push(seen)
    this.inProgress += 1
    try {
      const outcome = (await this.before?.(arrival)) ?? (await this.#changed(await next(arrival), arrival))
      if (!(outcome.reply instanceof ConnectionFault)) seen.status = outcome.reply.status
      return outcome
    } finally {
      this.inProgress -= 1
    }
  }

  async #changed(outcome: Outcome, { request, clock }: Arrival): Promise<Outcome> {
    const { reply } = outcome
    const isList = isTo(request, 'GET', '/Bookings') && !(reply instanceof ConnectionFault) && reply.status === 200
    if (!isList || this.changeList === null) return outcome
    const madeAt = clock.now()
    const body = new WholeBody(await buffer(reply.body))
    return { ...outcome, reply: await this.changeList({ ...reply, body }, madeAt) }
  }

  /**
   * Returns a map that collects the bookings in all later list responses. The integration's copy must contain each of
   * these bookings.
   */
  recordBookings(): ReadonlyMap<string, JsonObject> {
    const answered = new Map<string, JsonObject>()
    this.changeList = (reply) => {
      const list = parseJson(Buffer.from(reply.body.bytes).toString()) as { readonly bookings: readonly JsonObject[] }
      for (const booking of list.bookings) answered.set(String(booking['bookingId']), booking)
      return reply
    }
    return answered
  }

  /** Intercepts requests for one endpoint. If `answer` returns `null`, the service responds as usual. */
  intercept(method: string, path: string, answer: NonNullable<Wire['before']>): void {
    this.before = (arrival) => (isTo(arrival.request, method, path) ? answer(arrival) : null)
  }

  requestsTo(method: string, path: string): readonly SeenRequest[] {
    return this.seen.filter(({ request }) => isTo(request, method, path))
  }

  stopIntercepting(): void {
    this.before = null
    this.changeList = null
  }
}

export function isTo(request: WireRequest, method: string, path: string): boolean {
  return request.method === method && request.url.pathname === path
}
