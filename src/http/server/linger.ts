import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Limits for reading from a client whose request was rejected. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_MS = 10_000

/**
 * Ends a connection but keeps reading from `source` within limits, because a reset could otherwise discard the end of
 * the response.
 */
export function linger(socket: Socket, source: Readable = socket): void {
  let taken = 0
  const end = () => socket.destroy()
  const limit = setTimeout(end, MAX_MS).unref()
  source.on('data', (chunk: Buffer) => {
    taken += chunk.byteLength
    if (taken > MAX_BYTES) end()
  })
  source.once('end', end)
  source.on('error', end)
  socket.on('error', end)
  socket.once('close', () => clearTimeout(limit))
  source.resume()
  socket.end()
}
