import { Failure } from '../../base/failure/failure.ts'
import type { WireReply } from '../../http/transport.ts'
import { findFailure, Malformed, Refused } from '../endpoints/refusals.ts'
import type { SandboxState } from '../state.ts'
import { malformedReply, problemReply, refusalReply } from './replies.ts'
import type { Call, Service } from './request.ts'

/** Converts rejections and unexpected errors from the inner layers to responses. */
export function withRefusals(
  state: Pick<SandboxState, 'report'>,
): (next: Service<Call, WireReply>) => Service<Call, WireReply> {
  return (next) => async (call) => {
    try {
      return await next(call)
    } catch (error) {
      const path = call.request.url.pathname
      if (error instanceof Refused) return refusalReply(error.failure, error.values, path)
      if (error instanceof Malformed) return malformedReply(error, path)
      const reported = state.report(error)
      if (reported instanceof Failure) return problemReply(500, reported.message, path)
      const documented = findFailure(call.endpoint, 'unexpected')
      return documented ? refusalReply(documented, {}, path) : problemReply(500, 'An unexpected error occurred.', path)
    }
  }
}
