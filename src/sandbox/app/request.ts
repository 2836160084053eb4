import type { Match } from '../../contract/paths.ts'
import type { ConnectionFault } from '../../http/server/connection-fault.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import type { DeliveryPlan } from '../deliveries/queue.ts'
import type { Settings } from '../state.ts'

/** A request as it arrives, with the clock and the faults of that moment. */
export interface Arrival extends Settings {
  readonly request: WireRequest
}

/** A request that has found its endpoint. */
export interface Routed extends Arrival, Match {}

/** A request for its endpoint to answer. */
export interface Call extends Routed {
  /** False: the endpoint's answer stands, but its changes are taken back. */
  readonly keepsChanges: boolean
  /** How the event that the request causes is delivered. */
  readonly delivery: DeliveryPlan
}

/** What became of a request, for the journal. */
export interface Outcome {
  /** The answer, or how the connection ends without one. */
  readonly reply: WireReply | ConnectionFault
  /** The ID of the endpoint that the request reached; null when there is none at its path. */
  readonly endpoint: string | null
  /** Why the request did not get the endpoint's own answer; null when it did. */
  readonly note: string | null
  /** The IDs of the faults that struck the request. */
  readonly faults: readonly number[]
}

/** Answers requests of one kind: a layer of the app, with everything further in. */
export type Service<Request, Result = Outcome> = (request: Request) => Promise<Result>

/** An outcome that has not reached an endpoint or a fault yet. */
export function outcomeOf(reply: Outcome['reply'], note: string | null = null): Outcome {
  return { reply, note, endpoint: null, faults: [] }
}
