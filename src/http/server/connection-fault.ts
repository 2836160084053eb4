/**
 * How the server ends a connection before the response is complete. `reset` sends RST. `close` sends FIN, as when a
 * process exits normally.
 */
export type ConnectionEnd = 'reset' | 'close'

/** Thrown by a transport or a body to end the connection. After that, the server writes nothing more. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly end: ConnectionEnd

  constructor(end: ConnectionEnd) {
    super(`the connection must end with a ${end}`)
    this.end = end
  }
}
