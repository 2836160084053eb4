/** The reasons why no complete response arrived. */
export type NetworkErrorKind =
  | 'name-lookup'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'broken-off'
  | 'too-large'
  | 'bad-encoding'
  | 'proxy'

/** Thrown if a request ends without a complete response. The message is one line. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: NetworkErrorKind
  /** False only if the service definitely did not receive the request. */
  readonly maybeSent: boolean
  attempts = 1

  constructor(kind: NetworkErrorKind, message: string, maybeSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.maybeSent = maybeSent
  }
}

/** The abort reason for an attempt that exceeded its time limit. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(timeoutMs: number) {
    super(`no complete response within ${timeoutMs % 1000 === 0 ? `${timeoutMs / 1000}s` : `${timeoutMs}ms`}`)
  }
}
