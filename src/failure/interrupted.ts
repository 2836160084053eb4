/** The reason of an abort: a person or the system asked the command to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** True when a request had begun to leave. */
  readonly maybeSent: boolean
  /** What stopped it, such as `SIGINT`. */
  readonly by: string

  constructor(by: string, maybeSent = false) {
    super(`stopped by ${by}`)
    this.by = by
    this.maybeSent = maybeSent
  }

  /** The same interruption, after a request had begun to leave. */
  whileSending(): Interrupted {
    return new Interrupted(this.by, true)
  }
}
