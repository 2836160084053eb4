/** How a connection ends without a complete reply. `reset`: RST. `close`: FIN, as from a process that exits in order. */
export type ConnectionEnd = 'reset' | 'close'

/**
 * A transport, or the body of its reply, throws this to end the connection on purpose. The server then writes nothing more:
 * no reply at all, or only the bytes that the body gave so far.
 */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly end: ConnectionEnd

  constructor(end: ConnectionEnd) {
    super(`end the connection by ${end}`)
    this.end = end
  }
}
