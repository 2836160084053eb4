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
