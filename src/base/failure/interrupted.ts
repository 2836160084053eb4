/** The reason of an abort: the user or the system asked the command to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** True if a request had begun to leave. */
  readonly maybeSent: boolean
  readonly by: string
  /** True during a prompt or while input was read: the work had not begun. */
  readonly atInput: boolean

  constructor(by: string, maybeSent = false, atInput = false) {
    super(`stopped by ${by}`)
    this.by = by
    this.maybeSent = maybeSent
    this.atInput = atInput
  }

  static atInput(by: string): Interrupted {
    return new Interrupted(by, false, true)
  }

  whileSending(): Interrupted {
    return new Interrupted(this.by, true)
  }
}
