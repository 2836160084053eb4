/** The abort reason used when the user or the system asks the command to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** Whether any part of a request might have been sent. */
  readonly maybeSent: boolean
  readonly by: string
  /** Whether the interruption came before any work began: either at a prompt or while input was being read. */
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
