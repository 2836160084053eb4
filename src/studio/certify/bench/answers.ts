import type { JsonObject } from '../../../base/json/exact.ts'
import { parseJson } from '../../../base/json/parse.ts'
import { ConnectionFault } from '../../../http/server/connection-fault.ts'
import type { Bench } from './bench.ts'
import { wholeBody } from './venue-hand.ts'
import { isTo } from './wire.ts'

/**
 * Notes each booking that the service answers a list with, by its ID, from now on: what an integration has been told it must keep,
 * whatever it asked for.
 */
export function noteAnswers({ wire }: Bench): ReadonlyMap<string, JsonObject> {
  const answered = new Map<string, JsonObject>()
  wire.after = async (outcome, { request }) => {
    const { reply } = outcome
    if (!isTo(request, 'GET', '/Bookings') || reply instanceof ConnectionFault || reply.status !== 200) return outcome
    const body = await wholeBody(reply.body)
    const { bookings } = parseJson(Buffer.from(body.bytes).toString()) as { readonly bookings: readonly JsonObject[] }
    for (const booking of bookings) answered.set(String(booking['bookingId']), booking)
    return { ...outcome, reply: { ...reply, body } }
  }
  return answered
}
