/** How a connection ends without a complete reply. `reset`: RST. `close`: FIN, as from a process that exits in order. */
export type ConnectionEnd = 'reset' | 'close'

/** A transport or a body throws this to end the connection. The server then writes nothing more. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly end: ConnectionEnd

  constructor(end: ConnectionEnd) {
    super(`end the connection by ${end}`)
    this.end = end
  }
}
