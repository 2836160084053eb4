/** Why no whole answer came. */
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

/** An exchange that ended without a whole answer. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: NetworkErrorKind
  /** False only when it is certain that the service never saw the request. */
  readonly maybeSent: boolean
  /** How often the request was sent. */
  attempts = 1

  constructor(kind: NetworkErrorKind, message: string, maybeSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.maybeSent = maybeSent
  }
}

/** The time limit of one attempt has passed. Given as the reason of an abort. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs} ms`)
  }
}
