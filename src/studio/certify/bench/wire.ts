import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '../../../base/json/exact.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import { WholeBody } from '../../../http/server/reply.ts'
import type { WireReply, WireRequest } from '../../../http/transport.ts'
import type { Arrival, Outcome } from '../../../sandbox/app/request.ts'
import type { Recording } from '../../../sandbox/journal/har.ts'

/** A request as it came over the wire, with its key and signature, and what it was answered with. */
export interface Seen {
  readonly request: WireRequest
  /** Monotonic, milliseconds. */
  readonly arrivedMs: number
  /** Null when it is not answered yet, or never. */
  status: number | null
}

type WholeReply = WireReply & { readonly body: WholeBody }

/** The wire between an integration and its sandbox: sees each request in clear, and may step in between. */
export class Wire {
  readonly seen: Seen[] = []
  /** Answers a request in place of the service, or returns null to let it pass. */
  before: ((arrival: Arrival) => Outcome | null | Promise<Outcome | null>) | null = null
  /** Changes a list of bookings before it leaves. `madeAt` is the venue's time at which the service answered. */
  changeList: ((reply: WholeReply, madeAt: number) => WireReply | Promise<WireReply>) | null = null
  #underWay = 0

  /** How many requests are being answered. */
  get underWay(): number {
    return this.#underWay
  }

  /** The layer of the sandbox below its journal. */
  readonly recording: Recording = (next) => async (arrival) => {
    const seen: Seen = { request: arrival.request, arrivedMs: monotonicMs(), status: null }
    this.seen.push(seen)
    this.#underWay += 1
    try {
      const outcome = (await this.before?.(arrival)) ?? (await this.#changed(await next(arrival), arrival))
      if (!(outcome.reply instanceof ConnectionFault)) seen.status = outcome.reply.status
      return outcome
    } finally {
      this.#underWay -= 1
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
   * Returns the bookings, by their IDs, in all lists that are answered from now on. An integration must keep what it has been told,
   * whatever it asked for.
   */
  noteBookings(): ReadonlyMap<string, JsonObject> {
    const answered = new Map<string, JsonObject>()
    this.changeList = (reply) => {
      const list = parseJson(Buffer.from(reply.body.bytes).toString()) as { readonly bookings: readonly JsonObject[] }
      for (const booking of list.bookings) answered.set(String(booking['bookingId']), booking)
      return reply
    }
    return answered
  }

  /** The requests with this method and path. */
  to(method: string, path: string): readonly Seen[] {
    return this.seen.filter(({ request }) => isTo(request, method, path))
  }

  letPass(): void {
    this.before = null
    this.changeList = null
  }
}

/** True for a request with this method and path. */
export function isTo(request: WireRequest, method: string, path: string): boolean {
  return request.method === method && request.url.pathname === path
}
