import type { Endpoint } from '../contract/endpoint.ts'
import type { WireRequest } from '../http/transport.ts'
import { type CallOptions, call } from './calls/call.ts'
import { type CallInput, prepare } from './calls/prepare.ts'
import { rejectFailure } from './calls/success.ts'
import type { Session } from './session.ts'

/** A prepared request, which can be shown or sent. */
export interface Plan<E extends Endpoint = Endpoint> {
  readonly session: Session
  readonly endpoint: E
  readonly input: CallInput<E>
  /** The request without an API key or a signature. */
  readonly request: WireRequest
}

/** Prepares a request. Throws USAGE for an ID that cannot be part of a path. */
export function plan<E extends Endpoint>(session: Session, endpoint: E, input: CallInput<E>): Plan<E> {
  return { session, endpoint, input, request: prepare(endpoint, input, session.caller) }
}

/** Sends a prepared request and reads its whole response. Throws any error from `call`. */
export async function sendPlan<E extends Endpoint>({ session, endpoint, input }: Plan<E>, options?: CallOptions) {
  const answer = await call(session.caller, endpoint, input, options)
  // A signed read can fail with status 200 and report the failure only in the body, so check the body.
  if (endpoint.auth === 'signature') rejectFailure(answer)
  return answer
}
