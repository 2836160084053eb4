import type { Transport } from '../../http/transport.ts'
import { withFaults } from '../faults/with-faults.ts'
import { withJournal } from '../journal/with-journal.ts'
import type { SandboxState } from '../state.ts'
import { withBody } from './body.ts'
import { withCaller } from './caller.ts'
import { withDate } from './date.ts'
import { handlersOn } from './handling.ts'
import { type RateLimit, withRateLimit } from './rate-limit.ts'
import { withRefusals } from './refusal.ts'
import { withRoute } from './route.ts'

/**
 * The service itself, as a transport. A request goes through these layers from the outside in, and its answer back out:
 *
 * 1. The journal notes the request and what became of it.
 * 2. The answer gets the venue's date when the venue's clock is not the machine's.
 * 3. The path and the method find the endpoint, or the answer is 404 or 405.
 * 4. A key that calls an endpoint too often gets 429.
 * 5. A caller without a good key or signature gets 401 or 400.
 * 6. Faults answer in place of the endpoint, or spoil its answer.
 * 7. Refusals and errors from further in become answers.
 * 8. The body is read and checked against the contract, or the answer is 400 or 415.
 * 9. The handler of the endpoint answers, in a transaction when it writes.
 *
 * @param limit null: no rate limit.
 */
export function sandboxApp(state: SandboxState, limit: RateLimit | null): Transport {
  const endpoints = withRefusals(state)(withBody(handlersOn(state)))
  const admitted = withRateLimit(limit)(withCaller(withFaults(endpoints)))
  const answer = withJournal(state.journal)(withDate(withRoute(admitted)))
  return async (request) => answer({ request, ...state.settings() })
}
