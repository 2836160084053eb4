import type { EndpointMatch } from '../../contract/paths.ts'
import type { ConnectionFault } from '../../http/server/connection-fault.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import type { DeliveryPlan } from '../deliveries/queue.ts'
import type { DrawHex } from '../random-hex.ts'
import type { Settings } from '../state.ts'

/** An incoming request, with the clock and the faults that apply to it. */
export interface Arrival extends Pick<Settings, 'clock'> {
  readonly request: WireRequest
  readonly faults: Pick<Settings['faults'], 'strike'>
  /** How to deliver the event that the request causes, unless a fault decides. By default, once and immediately. */
  readonly delivery?: DeliveryPlan
  /** Generates the bytes of new IDs, in hexadecimal. Random by default. */
  readonly drawHex?: DrawHex
}

export interface Routed extends Arrival, EndpointMatch {}

export interface Call extends Routed {
  /** If false, the changes of the endpoint are rolled back, but its response is sent. */
  readonly keepsChanges: boolean
  readonly delivery: DeliveryPlan
}

/** The outcome of a request, for the journal. */
export interface Outcome {
  readonly reply: WireReply | ConnectionFault
  /** The ID of the endpoint that the request reached; `null` for an unknown path. */
  readonly endpoint: string | null
  /** The reason why the endpoint did not respond itself; `null` if it did. */
  readonly note: string | null
  readonly faults: readonly number[]
}

export type Service<Request, Result = Outcome> = (request: Request) => Promise<Result>

/** Makes an outcome without endpoint or faults, which outer layers add. */
export function conclude(reply: Outcome['reply'], note: string | null = null): Outcome {
  return { reply, note, endpoint: null, faults: [] }
}
