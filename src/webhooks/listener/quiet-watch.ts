/** Notices when nothing comes any more, and says so again each time as much time has passed. */
export class QuietWatch {
  readonly #timer: NodeJS.Timeout | null
  #times = 0

  /** @param afterMs how long nothing may come; null: for ever. `tell` gets the milliseconds since something came. */
  constructor(afterMs: number | null, tell: (quietMs: number) => void) {
    this.#timer = afterMs === null ? null : setInterval(() => tell(afterMs * ++this.#times), afterMs)
  }

  /** Notes that something came. */
  hear(): void {
    this.#times = 0
    this.#timer?.refresh()
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }
}
