/** Why no complete reply arrived. */
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

/** A request that ended without a complete reply. The message is one line. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: NetworkErrorKind
  /** False only if the service certainly never received the request. */
  readonly maybeSent: boolean
  attempts = 1

  constructor(kind: NetworkErrorKind, message: string, maybeSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.maybeSent = maybeSent
  }
}

/** The reason of an abort: the time limit of one attempt has passed. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs % 1000 === 0 ? `${timeoutMs / 1000}s` : `${timeoutMs}ms`}`)
  }
}
