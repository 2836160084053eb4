import { messageOf } from '../base/failure/failure.ts'
import { redactBody, redactHeaders } from '../base/redaction/redaction.ts'
import { monotonicMs } from '../base/stopwatch.ts'
import type { Layer, WireReply, WireRequest } from './transport.ts'

export interface HarOptions {
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number
  /** The lower-case names of the headers whose values must be hidden. */
  readonly secretHeaders: readonly string[]
  readonly add: (entry: HarEntry) => void
}

/** A request and its response in HAR 1.2 format, with credentials hidden. */
export type HarEntry = Readonly<Record<string, unknown>>

/** The maximum number of bytes to record of each body, because a streamed list can be endless. */
const MAX_BODY_BYTES = 1024 * 1024

/** Records each request and its response. Truncates bodies larger than 1 MiB and notes this in the entry. */
export const withHar =
  ({ now, secretHeaders, add }: HarOptions): Layer =>
  (next) =>
  async (request) => {
    const startedMs = now()
    const started = monotonicMs()
    const makeEntry = (waitMs: number, response: Record<string, unknown>, receiveMs: number): HarEntry => ({
      startedDateTime: new Date(startedMs).toISOString(),
      time: roundMs(waitMs + receiveMs),
      request: describeRequest(request, secretHeaders),
      response,
      cache: {},
      timings: { send: 0, wait: roundMs(waitMs), receive: roundMs(receiveMs) },
      _attempt: request.attempt ?? 1,
    })
    let reply: WireReply
    try {
      reply = await next(request)
    } catch (error) {
      const nothing = describeResponse(0, {}, new Capture(), secretHeaders)
      add(makeEntry(monotonicMs() - started, { ...nothing, _error: messageOf(error) }, 0))
      throw error
    }
    const waitMs = monotonicMs() - started
    const finish = (capture: Capture, error: unknown) => {
      const response = describeResponse(reply.status, reply.headers, capture, secretHeaders)
      const outcome = error === null ? response : { ...response, _error: messageOf(error) }
      add(makeEntry(waitMs, outcome, monotonicMs() - started - waitMs))
    }
    return { ...reply, body: captured(reply.body, finish) }
  }

/** The recorded beginning of a body, and the body's total size. */
export class Capture {
  readonly chunks: Uint8Array[] = []
  kept = 0
  size = 0
  /** Whether the whole body has arrived. False while the body is still arriving and if the connection was lost. */
  hasEnded = false

  take(chunk: Uint8Array): void {
    this.size += chunk.byteLength
    const room = MAX_BODY_BYTES - this.kept
    if (room <= 0) return
    const part = chunk.byteLength <= room ? chunk : chunk.subarray(0, room)
    // Copy the chunk, because the reader might reuse its memory.
    this.chunks.push(Uint8Array.from(part))
    this.kept += part.byteLength
  }
}

/**
 * Passes a body through unchanged. At the end, calls `finish` with the captured part of the body, and with the error or
 * `null`.
 */
export async function* captured(body: AsyncIterable<Uint8Array>, finish: (capture: Capture, error: unknown) => void) {
  const capture = new Capture()
  let failure: unknown = null
  try {
    for await (const chunk of body) {
      capture.take(chunk)
      yield chunk
    }
    capture.hasEnded = true
  } catch (error) {
    failure = error
    throw error
  } finally {
    finish(capture, failure)
  }
}

export function describeRequest(
  request: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>,
  secretHeaders: readonly string[],
): Record<string, unknown> {
  const capture = new Capture()
  if (request.body) capture.take(request.body)
  const { text, ...encoding } = readContent(capture)
  return {
    method: request.method,
    url: request.url.href,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(redactHeaders(request.headers, secretHeaders))),
    queryString: toPairs([...request.url.searchParams]),
    ...(request.body ? { postData: { mimeType: request.headers['content-type'] ?? '', text, ...encoding } } : {}),
    headersSize: -1,
    bodySize: request.body?.byteLength ?? 0,
  }
}

export function describeResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  capture: Capture,
  secretHeaders: readonly string[],
) {
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(redactHeaders(headers, secretHeaders))),
    content: { size: capture.size, mimeType: headers['content-type'] ?? '', ...readContent(capture) },
    redirectURL: headers['location'] ?? '',
    headersSize: -1,
    bodySize: -1,
  }
}

function readContent({ chunks, kept, size }: Capture): { text: string; encoding?: string; comment?: string } {
  const bytes = Buffer.concat(chunks)
  const cut = kept < size ? { comment: `the first ${kept} of ${size} bytes` } : {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: kept < size })
    return { text: redactBody(text), ...cut }
  } catch {
    return { text: bytes.toString('base64'), encoding: 'base64', ...cut }
  }
}

function toPairs(entries: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return entries.map(([name, value]) => ({ name, value }))
}

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
