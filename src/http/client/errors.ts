/** Why no whole answer came. */
export type NetworkTrouble =
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
  readonly trouble: NetworkTrouble
  /** False only when it is certain that the service never saw the request. */
  readonly maybeSent: boolean

  constructor(trouble: NetworkTrouble, message: string, maybeSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
    this.maybeSent = maybeSent
  }
}

/** The person (or the system) asked the command to stop. Given as the reason of an abort. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** The request that was under way had begun to leave. */
  readonly maybeSent: boolean
  /** What stopped it, such as `SIGINT`. */
  readonly by: string

  constructor(by: string, maybeSent = false) {
    super(`stopped by ${by}`)
    this.by = by
    this.maybeSent = maybeSent
  }

  /** The same, of a request that had begun to leave. */
  whileSending(): Interrupted {
    return new Interrupted(this.by, true)
  }
}

/** The time limit of one attempt has passed. Given as the reason of an abort. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs} ms`)
  }
}
