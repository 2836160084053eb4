import { redactBody, redactHeaders } from '../../redaction/redaction.ts'
import type { Layer, WireReply, WireRequest } from '../transport.ts'

/** What the recording of one exchange needs to know. */
export interface HarOptions {
  /** The time now, epoch milliseconds. */
  readonly now: () => number
  /** Headers to hide beside those that always are, in lower case. */
  readonly secretHeaders: readonly string[]
  /** Takes the entry of an exchange once its answer was read, or it failed. */
  readonly add: (entry: HarEntry) => void
}

/** One exchange as HAR 1.2 has it; keys and other credentials are hidden. */
export type HarEntry = Readonly<Record<string, unknown>>

/** Of each body, so much is kept: a list may have no end. */
const MAX_BODY_BYTES = 1024 * 1024

/** Records each exchange, answer included, as it is read. Bodies are kept up to 1 MiB, and the entry says so. */
export const withHar =
  ({ now, secretHeaders, add }: HarOptions): Layer =>
  (next) =>
  async (request) => {
    const startedMs = now()
    const started = performance.now()
    const entryOf = (waitMs: number, response: Record<string, unknown>, receiveMs: number): HarEntry => ({
      startedDateTime: new Date(startedMs).toISOString(),
      time: rounded(waitMs + receiveMs),
      request: requestOf(request, secretHeaders),
      response,
      cache: {},
      timings: { send: 0, wait: rounded(waitMs), receive: rounded(receiveMs) },
      _attempt: request.attempt ?? 1,
    })
    let reply: WireReply
    try {
      reply = await next(request)
    } catch (error) {
      const nothing = responseOf(0, {}, new Capture(), secretHeaders)
      add(entryOf(performance.now() - started, { ...nothing, _error: wordsOf(error) }, 0))
      throw error
    }
    const waitMs = performance.now() - started
    const finish = (capture: Capture, error: unknown) => {
      const response = responseOf(reply.status, reply.headers, capture, secretHeaders)
      const told = error === null ? response : { ...response, _error: wordsOf(error) }
      add(entryOf(waitMs, told, performance.now() - started - waitMs))
    }
    return { ...reply, body: captured(reply.body, finish) }
  }

/** The beginning of a body, and how long the whole of it was. */
class Capture {
  readonly chunks: Uint8Array[] = []
  kept = 0
  size = 0

  take(chunk: Uint8Array): void {
    this.size += chunk.byteLength
    const room = MAX_BODY_BYTES - this.kept
    if (room <= 0) return
    const part = chunk.byteLength <= room ? chunk : chunk.subarray(0, room)
    // A copy: whoever reads the chunk may use its memory again.
    this.chunks.push(Uint8Array.from(part))
    this.kept += part.byteLength
  }
}

async function* captured(body: AsyncIterable<Uint8Array>, finish: (capture: Capture, error: unknown) => void) {
  const capture = new Capture()
  let trouble: unknown = null
  try {
    for await (const chunk of body) {
      capture.take(chunk)
      yield chunk
    }
  } catch (error) {
    trouble = error
    throw error
  } finally {
    finish(capture, trouble)
  }
}

function requestOf(request: WireRequest, secretHeaders: readonly string[]): Record<string, unknown> {
  const capture = new Capture()
  if (request.body) capture.take(request.body)
  const { text, ...how } = textOf(capture)
  return {
    method: request.method,
    url: request.url.href,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(redactHeaders(request.headers, secretHeaders))),
    queryString: pairs([...request.url.searchParams]),
    ...(request.body ? { postData: { mimeType: request.headers['content-type'] ?? '', text, ...how } } : {}),
    headersSize: -1,
    bodySize: request.body?.byteLength ?? 0,
  }
}

function responseOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  capture: Capture,
  secretHeaders: readonly string[],
): Record<string, unknown> {
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(redactHeaders(headers, secretHeaders))),
    content: { size: capture.size, mimeType: headers['content-type'] ?? '', ...textOf(capture) },
    redirectURL: headers['location'] ?? '',
    headersSize: -1,
    bodySize: -1,
  }
}

/** A body as HAR has it: text, or base64 where it is none. */
function textOf({ chunks, kept, size }: Capture): { text: string; encoding?: string; comment?: string } {
  const bytes = Buffer.concat(chunks)
  const cut = kept < size ? { comment: `the first ${kept} of ${size} bytes` } : {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: kept < size })
    return { text: redactBody(text), ...cut }
  } catch {
    return { text: bytes.toString('base64'), encoding: 'base64', ...cut }
  }
}

function pairs(entries: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return entries.map(([name, value]) => ({ name, value }))
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
