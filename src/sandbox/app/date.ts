import { ConnectionFault } from '../../http/server/connection-fault.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Arrival, Service } from './request.ts'

/**
 * Adds a Date header with the venue's time if that time differs from the machine's, unless the response already has the
 * header.
 */
export function withDate(next: Service<Arrival>): Service<Arrival> {
  return async (arrival) => {
    const outcome = await next(arrival)
    const { reply } = outcome
    if (!arrival.clock.shifted || reply instanceof ConnectionFault || reply.headers['date'] !== undefined)
      return outcome
    return { ...outcome, reply: setDate(reply, arrival.clock.now()) }
  }
}

/** Returns the response with its Date header set to `at`, which is in milliseconds since 1970. */
export function setDate(reply: WireReply, at: number): WireReply {
  return { ...reply, headers: { ...reply.headers, date: new Date(at).toUTCString() } }
}
