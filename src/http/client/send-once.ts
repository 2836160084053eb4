import type { Transport, WireRequest } from '../transport.ts'
import { NetworkError } from './errors.ts'

/** One attempt's answer. Exactly one of `text` and `body` is there. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, when it was read; damaged UTF-8 shows as U+FFFD here, `bytes` has what came. */
  readonly text: string | null
  readonly bytes: Uint8Array | null
  /** The body still to be read, its first bytes having arrived. */
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The largest answer that is read as one, after decompression. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/**
 * Sends once. A success is left to be streamed when `stream` asks for it; everything else is read whole.
 * Fails: NetworkError, also when the body breaks off or is too large.
 */
export async function sendOnce(transport: Transport, request: WireRequest, stream: boolean): Promise<Reply> {
  const reply = await transport(request)
  const { status, headers } = reply
  if (stream && status >= 200 && status < 300)
    return { status, headers, text: null, bytes: null, body: await waitForFirstBytes(reply.body) }
  const bytes = await readWhole(reply.body)
  return { status, headers, text: new TextDecoder().decode(bytes), bytes, body: null }
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES)
      throw new NetworkError('too-large', `the answer is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`, true)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** Waits for the first bytes, so that an answer that breaks off before them can be asked for again. */
async function waitForFirstBytes(body: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = body[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let step = first; !step.done; step = await iterator.next()) yield step.value
    } finally {
      await iterator.return?.()
    }
  })()
}
