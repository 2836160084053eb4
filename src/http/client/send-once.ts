import type { Transport, WireRequest } from '../transport.ts'
import { NetworkError } from './errors.ts'

/** The response to one attempt. It has either `text` and `bytes`, or a `body` that has not been read yet. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as text, with invalid UTF-8 replaced by U+FFFD. `null` if the body has not been read yet. */
  readonly text: string | null
  /** The exact bytes of the body. `null` if the body has not been read yet. */
  readonly bytes: Uint8Array | null
  /** The unread body, whose first bytes have arrived. `null` if the body has already been read. */
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The maximum size of a body that is read into memory, measured after decompression. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Sends a request once and reads the response. With `stream`, leaves the body of a 2xx response to be read by the
 * caller. Throws NetworkError.
 */
export async function sendOnce(transport: Transport, request: WireRequest, stream: boolean): Promise<Reply> {
  const { status, headers, body } = await transport(request)
  if (stream && status >= 200 && status < 300)
    return { status, headers, text: null, bytes: null, body: await waitForFirstBytes(body) }
  const bytes = await readWhole(body)
  return { status, headers, text: new TextDecoder().decode(bytes), bytes, body: null }
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES)
      throw new NetworkError('too-large', `the response is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB`, true)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/**
 * Waits for the first bytes of a body. If the connection is lost before they arrive, the request can still be repeated.
 */
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
