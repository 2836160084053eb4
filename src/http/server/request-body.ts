import type { IncomingMessage } from 'node:http'

/** Thrown for a request body that the server rejects. `status` is the HTTP status of the response. */
export class RequestBodyError extends Error {
  override readonly name = 'RequestBodyError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Reads a request body. Returns `null` if there is none. Throws RequestBodyError with status 413 if the body exceeds
 * `maxBytes`, or with status 400 if it is incomplete.
 */
export function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  const announced = Number(message.headers['content-length'] ?? 0)
  if (announced > maxBytes) return Promise.reject(tooLargeError(maxBytes))
  if (announced === 0 && message.headers['transfer-encoding'] === undefined) {
    message.resume()
    return Promise.resolve(null)
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= maxBytes) chunks.push(chunk)
      else reject(tooLargeError(maxBytes))
    })
    message.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)))
    message.on('aborted', () => reject(new RequestBodyError(400, 'The request body is incomplete.')))
    message.on('error', () => reject(new RequestBodyError(400, 'The request body is incomplete.')))
  })
}

function tooLargeError(maxBytes: number): RequestBodyError {
  return new RequestBodyError(413, `The request body is larger than ${maxBytes} bytes.`)
}
