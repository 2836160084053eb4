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
  /**
   * How to deliver the event that the request triggers. A fault can override this. By default, the event is sent once,
   * immediately.
   */
  readonly delivery?: DeliveryPlan
  /** Generates the bytes of new IDs, in hexadecimal. By default, the bytes are random. */
  readonly drawHex?: DrawHex
}

export interface Routed extends Arrival, EndpointMatch {}

export interface Call extends Routed {
  /**
   * Whether to keep the changes that the endpoint makes. If false, the changes are rolled back, but the response is
   * still sent.
   */
  readonly keepsChanges: boolean
  readonly delivery: DeliveryPlan
}

/** The outcome of a request, as recorded in the journal. */
export interface Outcome {
  readonly reply: WireReply | ConnectionFault
  /** The ID of the endpoint that the request reached, or `null` if it did not reach one. */
  readonly endpoint: string | null
  /** The reason why the response does not come from the endpoint, or `null` if it does. */
  readonly note: string | null
  readonly faults: readonly number[]
}

export type Service<Request, Result = Outcome> = (request: Request) => Promise<Result>

/** Creates an outcome. Outer layers set its endpoint and its faults. */
export function conclude(reply: Outcome['reply'], note: string | null = null): Outcome {
  return { reply, note, endpoint: null, faults: [] }
}
