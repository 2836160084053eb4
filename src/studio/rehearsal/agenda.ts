type Act = () => Promise<void>
type Entry = { readonly at: number; readonly act: Act }

/** A queue of actions ordered by time (milliseconds since 1970). Actions with equal times run in insertion order. */
export class Agenda {
  readonly #entries: Entry[] = []
  readonly #until: number
  #last = Number.NEGATIVE_INFINITY

  /** Creates an agenda that ignores actions planned after `until`. */
  constructor(until: number) {
    this.#until = until
  }

  plan(at: number, act: Act): void {
    if (at > this.#until) return
    const before = this.#entries.findLastIndex((entry) => entry.at <= at)
    this.#entries.splice(before + 1, 0, { at, act })
  }

  /**
   * Removes and returns the next action, or `null` if none is left. Adjusts the action's time so that no two actions
   * share one, because clients distinguish changes by time.
   */
  next(): Entry | null {
    const first = this.#entries.shift()
    if (first === undefined) return null
    this.#last = Math.max(first.at, this.#last + 1)
    return { at: this.#last, act: first.act }
  }
}
