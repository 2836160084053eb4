import type { EndpointMatch } from '../../contract/paths.ts'
import type { ConnectionFault } from '../../http/server/connection-fault.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import type { DeliveryPlan } from '../deliveries/queue.ts'
import type { DrawHex } from '../random-hex.ts'
import type { Settings } from '../state.ts'

/** A request as it comes in, with the clock and the faults that it meets. */
export interface Arrival extends Pick<Settings, 'clock'> {
  readonly request: WireRequest
  readonly faults: Pick<Settings['faults'], 'strike'>
  /** How the event that it causes is delivered, where no fault has a say. Once and at once unless given. */
  readonly delivery?: DeliveryPlan
  /** Draws bytes for the IDs of what it makes, in hexadecimal; by chance unless given. */
  readonly drawHex?: DrawHex
}

/** A request that has found its endpoint. */
export interface Routed extends Arrival, EndpointMatch {}

/** A request on its way to the handler of its endpoint. */
export interface Call extends Routed {
  /** False: what the endpoint changes is taken back, and its answer stands. */
  readonly keepsChanges: boolean
  /** How the event that it causes is delivered. */
  readonly delivery: DeliveryPlan
}

/** What became of a request, as the journal has it. */
export interface Outcome {
  /** The answer, or how the connection ends without one. */
  readonly reply: WireReply | ConnectionFault
  /** The ID of the endpoint that it reached; null when there is none at its path. */
  readonly endpoint: string | null
  /** What kept it from the endpoint's own answer; null when nothing did. */
  readonly note: string | null
  /** The IDs of the faults that struck it. */
  readonly faults: readonly number[]
}

/** Answers requests. */
export type Service<Request, Result = Outcome> = (request: Request) => Promise<Result>

/** Makes an outcome, to which outer layers add the endpoint and the faults. */
export function conclude(reply: Outcome['reply'], note: string | null = null): Outcome {
  return { reply, note, endpoint: null, faults: [] }
}
