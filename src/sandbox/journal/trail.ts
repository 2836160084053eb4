import { WholeBody } from '../../http/reply.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import { SIGNATURE_HEADER } from '../credentials.ts'
import type { SandboxState } from '../state.ts'
import { redactedBody, redactedHeaders } from './redaction.ts'

/** What is noted about a request while it is answered. */
export interface Trail {
  endpoint: string | null
  note: string | null
  faults: readonly number[]
}

/** Answers a request and writes it into the journal, whatever becomes of it. */
export async function journaled(
  state: SandboxState,
  request: WireRequest,
  work: (trail: Trail) => Promise<WireReply>,
): Promise<WireReply> {
  const started = performance.now()
  const trail: Trail = { endpoint: null, note: null, faults: [] }
  let reply: WireReply | null = null
  try {
    reply = await work(trail)
    return reply
  } finally {
    state.journal.add({
      at: new Date(state.world.clock.now()).toISOString(),
      method: request.method,
      path: request.url.pathname,
      query: request.url.search.slice(1),
      endpoint: trail.endpoint,
      status: reply?.status ?? null,
      ms: Math.round((performance.now() - started) * 10) / 10,
      note: trail.note,
      faults: trail.faults,
      request: {
        headers: redactedHeaders(request.headers, SIGNATURE_HEADER.toLowerCase()),
        body: redactedBody(request.body),
      },
      response: { body: reply?.body instanceof WholeBody ? redactedBody(reply.body.bytes) : null },
    })
  }
}
