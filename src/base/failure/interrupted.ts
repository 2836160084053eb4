/** The reason of an abort: a person or the system asked the command to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** True when a request had begun to leave. */
  readonly maybeSent: boolean
  /** What stopped it, such as `SIGINT`. */
  readonly by: string
  /** True when a person was asked, or input waited for: what was to be done had not begun. */
  readonly atInput: boolean

  constructor(by: string, maybeSent = false, atInput = false) {
    super(`stopped by ${by}`)
    this.by = by
    this.maybeSent = maybeSent
    this.atInput = atInput
  }

  /** An interruption while input was waited for. */
  static atInput(by: string): Interrupted {
    return new Interrupted(by, false, true)
  }

  /** The same interruption, after a request had begun to leave. */
  whileSending(): Interrupted {
    return new Interrupted(this.by, true)
  }
}
