import type { Transport, WireReply } from '../../http/transport.ts'
import { withFaults } from '../faults/with-faults.ts'
import type { Recording } from '../journal/har.ts'
import type { EntrySink } from '../journal/journal.ts'
import { withJournal } from '../journal/with-journal.ts'
import type { SandboxState } from '../state.ts'
import { withBody } from './body.ts'
import { withCaller } from './caller.ts'
import { withDate } from './date.ts'
import { runHandlers } from './handling.ts'
import { type RateLimit, withRateLimit } from './rate-limit.ts'
import { withRefusals } from './refusal.ts'
import type { Arrival, Service } from './request.ts'
import { withRoute } from './route.ts'

/**
 * Returns the simulated service as a transport. A request passes through these layers from the outside in, and its
 * response back out:
 *
 * 1. The journal records the request and its outcome.
 * 2. The response gets a Date header if the venue's time differs from the machine's.
 * 3. The path and method select the endpoint. If there is none, the response is 404 or 405.
 * 4. The key's rate limit is checked: 429.
 * 5. The key or signature is checked: 401 or 400.
 * 6. Faults replace the endpoint's response, or corrupt it.
 * 7. Rejections and unexpected errors become responses.
 * 8. The body is read and checked against the contract: 400 or 415.
 * 9. The endpoint's handler responds, in a transaction if it writes.
 *
 * If `limit` is `null`, requests are not limited. `recorded` is an optional layer inside the journal that records the
 * traffic.
 */
export function sandboxApp(state: SandboxState, limit: RateLimit | null, recorded: Recording | null = null): Transport {
  const serve = sandboxService(state, state.journal, limit, recorded)
  return async (request) => serve({ request, ...state.settings() })
}

/** Returns the same service as {@link sandboxApp}, except that each request carries its own clock and faults. */
export function sandboxService(
  state: SandboxState,
  journal: EntrySink,
  limit: RateLimit | null,
  recorded: Recording | null = null,
): Service<Arrival, WireReply> {
  const endpoints = withRefusals(state)(withBody(runHandlers(state)))
  const admitted = withRateLimit(limit)(withCaller(withFaults(endpoints)))
  const dated = withDate(withRoute(admitted))
  return withJournal(journal)(recorded ? recorded(dated) : dated)
}
