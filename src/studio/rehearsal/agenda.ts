type Act = () => Promise<void>
type Entry = { readonly at: number; readonly act: Act }

/**
 * A queue of actions, ordered by their time in milliseconds since 1970. Actions with the same time run in the order
 * they were added.
 */
export class Agenda {
  readonly #entries: Entry[] = []
  readonly #until: number
  #last = Number.NEGATIVE_INFINITY

  /** Creates an agenda that ignores actions later than `until`. */
  constructor(until: number) {
    this.#until = until
  }

  plan(at: number, act: Act): void {
    if (at > this.#until) return
    const before = this.#entries.findLastIndex((entry) => entry.at <= at)
    this.#entries.splice(before + 1, 0, { at, act })
  }

  /**
   * Removes and returns the next action, or returns `null` if there is none. Spaces out actions that have the same
   * time, because clients use the time to tell changes apart.
   */
  next(): Entry | null {
    const first = this.#entries.shift()
    if (first === undefined) return null
    this.#last = Math.max(first.at, this.#last + 1)
    return { at: this.#last, act: first.act }
  }
}
