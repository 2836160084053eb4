import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '../../../base/json/exact.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import { WholeBody } from '../../../http/server/reply.ts'
import type { WireReply, WireRequest } from '../../../http/transport.ts'
import type { Arrival, Outcome } from '../../../sandbox/app/request.ts'
import type { Recording } from '../../../sandbox/journal/har.ts'

/** A request on the wire, with its key and signature, and its answer. */
export interface Seen {
  readonly request: WireRequest
  /** Monotonic, milliseconds. */
  readonly arrivedMs: number
  /** Null without an answer, or before it. */
  status: number | null
}

type WholeReply = WireReply & { readonly body: WholeBody }

/** The wire between an integration and its sandbox. It observes each request, and can intervene. */
export class Wire {
  readonly seen: Seen[] = []
  /** Answers a request instead of the service, or returns null. */
  before: ((arrival: Arrival) => Outcome | null | Promise<Outcome | null>) | null = null
  /** Changes a list of bookings before it is sent. `madeAt` is the venue's time of the answer. */
  changeList: ((reply: WholeReply, madeAt: number) => WireReply | Promise<WireReply>) | null = null
  underWay = 0

  /** A layer of the sandbox below its journal. */
  readonly recording: Recording = (next) => async (arrival) => {
    const seen: Seen = { request: arrival.request, arrivedMs: monotonicMs(), status: null }
    this.seen.push(seen)
    this.underWay += 1
    try {
      const outcome = (await this.before?.(arrival)) ?? (await this.#changed(await next(arrival), arrival))
      if (!(outcome.reply instanceof ConnectionFault)) seen.status = outcome.reply.status
      return outcome
    } finally {
      this.underWay -= 1
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

  /** Returns a live map of the bookings in all later lists. An integration must keep them, whatever it requested. */
  noteBookings(): ReadonlyMap<string, JsonObject> {
    const answered = new Map<string, JsonObject>()
    this.changeList = (reply) => {
      const list = parseJson(Buffer.from(reply.body.bytes).toString()) as { readonly bookings: readonly JsonObject[] }
      for (const booking of list.bookings) answered.set(String(booking['bookingId']), booking)
      return reply
    }
    return answered
  }

  /** Answers requests to an endpoint instead of the service. Those for which `answer` returns null pass. */
  answerInstead(method: string, path: string, answer: NonNullable<Wire['before']>): void {
    this.before = (arrival) => (isTo(arrival.request, method, path) ? answer(arrival) : null)
  }

  to(method: string, path: string): readonly Seen[] {
    return this.seen.filter(({ request }) => isTo(request, method, path))
  }

  letPass(): void {
    this.before = null
    this.changeList = null
  }
}

export function isTo(request: WireRequest, method: string, path: string): boolean {
  return request.method === method && request.url.pathname === path
}
