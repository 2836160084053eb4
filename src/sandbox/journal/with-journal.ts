import { WholeBody } from '../../http/reply.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import { maskSecret, redactedBody, redactedHeaders } from '../../redaction/redaction.ts'
import { SIGNATURE_HEADER } from '../credentials.ts'
import type { SandboxState } from '../state.ts'

/** What is noted about a request while it is answered. */
export interface Trail {
  endpoint: string | null
  note: string | null
  faults: readonly number[]
}

const SECRET_HEADERS = [SIGNATURE_HEADER.toLowerCase()]
const LONGEST_BODY = 4096

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
        headers: redactedHeaders(request.headers, SECRET_HEADERS, maskSecret),
        body: bodyText(request.body),
      },
      response: { body: reply?.body instanceof WholeBody ? bodyText(reply.body.bytes) : null },
    })
  }
}

/** The beginning of a body as text, without the credentials in it; null when there is none. */
function bodyText(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.byteLength === 0) return null
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LONGEST_BODY)).toString('utf8')
  const text = redactedBody(start)
  return bytes.byteLength > LONGEST_BODY ? `${text}… (${bytes.byteLength} bytes)` : text
}
