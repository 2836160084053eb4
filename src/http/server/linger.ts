import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** How much is taken from a client whose request was refused, and for how long. */
const MOST_BYTES = 64 * 1024 * 1024
const LONGEST_MS = 10_000

/**
 * Ends the connection of a client that may still be sending: it gets the end of the answer at once, and what it sends is taken
 * and thrown away, within limits. Were the connection closed on it, the reset would take the answer from it. `source` is what
 * it sends: its request, or the socket itself.
 */
export function linger(socket: Socket, source: Readable = socket): void {
  let taken = 0
  const end = () => socket.destroy()
  const limit = setTimeout(end, LONGEST_MS).unref()
  source.on('data', (chunk: Buffer) => {
    taken += chunk.byteLength
    if (taken > MOST_BYTES) end()
  })
  source.once('end', end)
  source.on('error', end)
  socket.on('error', end)
  socket.once('close', () => clearTimeout(limit))
  source.resume()
  socket.end()
}
