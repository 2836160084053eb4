import { monotonicMs } from '../../../base/stopwatch.ts'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import type { WireRequest } from '../../../http/transport.ts'
import type { Arrival, Outcome } from '../../../sandbox/app/request.ts'
import type { Recording } from '../../../sandbox/journal/har.ts'

/** A request as it came over the wire, with its key and signature, and what it was answered with. */
export interface Seen {
  readonly request: WireRequest
  /** Monotonic, milliseconds. */
  readonly arrivedMs: number
  /** Null: not answered yet, or never. */
  status: number | null
}

/** Does something with a request before the service sees it: an outcome stands in place of the service's. */
export type Intervention = (arrival: Arrival) => Outcome | null | Promise<Outcome | null>

/** Does something with an answer before it leaves. */
export type Afterwards = (outcome: Outcome, arrival: Arrival) => Outcome | Promise<Outcome>

/** The wire between an integration and its sandbox: sees each request in clear, and may step in between. */
export class Wire {
  readonly seen: Seen[] = []
  before: Intervention | null = null
  after: Afterwards | null = null
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
      const instead = await this.before?.(arrival)
      const outcome = instead ?? (await next(arrival))
      const last = instead || this.after === null ? outcome : await this.after(outcome, arrival)
      if (!(last.reply instanceof ConnectionFault)) seen.status = last.reply.status
      return last
    } finally {
      this.#underWay -= 1
    }
  }

  /** The requests with this method and path. */
  to(method: string, path: string): readonly Seen[] {
    return this.seen.filter(({ request }) => isTo(request, method, path))
  }

  /** Steps in nowhere any more. */
  letPass(): void {
    this.before = null
    this.after = null
  }
}

/** True for a request with this method and path. */
export function isTo(request: WireRequest, method: string, path: string): boolean {
  return request.method === method && request.url.pathname === path
}
