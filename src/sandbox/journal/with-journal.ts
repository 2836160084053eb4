import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { maskSecret, redactBody, redactHeaders } from '../../base/redaction/redaction.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { readServiceWords } from '../../contract/shapes/problem.ts'
import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { WholeBody } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import type { Arrival, Outcome, Service } from '../app/request.ts'
import { LOWER_SIGNATURE_HEADER } from '../credentials.ts'
import type { EntrySink, JournalEntry } from './journal.ts'

/**
 * Records each request and its outcome in the journal. Throws ConnectionFault to end the connection without a response.
 */
export function withJournal(journal: EntrySink): (next: Service<Arrival>) => Service<Arrival, WireReply> {
  return (next) => async (arrival) => {
    const started = monotonicMs()
    let outcome: Outcome | null = null
    try {
      outcome = await next(arrival)
    } finally {
      await journal.add(entryOf(arrival, outcome, monotonicMs() - started))
    }
    if (outcome.reply instanceof ConnectionFault) throw outcome.reply
    return outcome.reply
  }
}

export const SECRET_HEADERS = [LOWER_SIGNATURE_HEADER]
const LONGEST_BODY = 4096

/** Creates the journal entry for a request. `outcome` is `null` if an unexpected error occurred. */
function entryOf({ request, clock }: Arrival, outcome: Outcome | null, ms: number): JournalEntry {
  const reply = outcome && !(outcome.reply instanceof ConnectionFault) ? outcome.reply : null
  const answer = reply?.body instanceof WholeBody ? bodyText(reply.body.bytes) : null
  return {
    at: new Date(clock.now()).toISOString(),
    method: request.method,
    path: request.url.pathname,
    query: request.url.search.slice(1),
    endpoint: outcome?.endpoint ?? null,
    status: reply?.status ?? null,
    ms: Math.round(ms * 10) / 10,
    note: outcome?.note ?? findErrorMessage(reply?.status ?? null, answer),
    faults: outcome?.faults ?? [],
    request: { headers: redactHeaders(request.headers, SECRET_HEADERS, maskSecret), body: bodyText(request.body) },
    response: { body: answer },
  }
}

/** Returns the error message from a response, or `null` if the request succeeded. */
function findErrorMessage(status: number | null, answer: string | null): string | null {
  if (status === null || answer === null) return null
  const body: JsonValue = parseJsonOrNull(answer)
  const isFailure = isJsonObject(body) && body['isSuccess'] === false
  if (status < 400 && !isFailure) return null
  const { message, complaints } = readServiceWords(body)
  return complaints.length > 0 ? complaints.join(' ') : message
}

/** Returns the beginning of a body as text, without credentials, or `null` if the body is empty. */
function bodyText(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.byteLength === 0) return null
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LONGEST_BODY)).toString('utf8')
  const text = redactBody(start)
  return bytes.byteLength > LONGEST_BODY ? `${text}… (${bytes.byteLength} bytes)` : text
}
