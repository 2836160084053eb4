/** How a connection ends without a whole answer. `reset`: RST. `close`: FIN, as a process that goes away in order. */
export type ConnectionEnd = 'reset' | 'close'

/**
 * Thrown by a transport, or by the body of its reply, to end the connection on purpose: before any answer, or after
 * the bytes that the body gave so far. A server obeys it; nothing more is written.
 */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly end: ConnectionEnd

  constructor(end: ConnectionEnd) {
    super(`the connection is to end by ${end}`)
    this.end = end
  }
}
