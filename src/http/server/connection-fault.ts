/** How a connection ends without a complete response: `reset` sends RST; `close` sends FIN, like a process that exits normally. */
export type ConnectionEnd = 'reset' | 'close'

/** Thrown by a transport or a body to end the connection. The server then writes nothing more. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly end: ConnectionEnd

  constructor(end: ConnectionEnd) {
    super(`end the connection by ${end}`)
    this.end = end
  }
}
