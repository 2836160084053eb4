/** Something that is done at a moment. */
export type Act = () => Promise<void>

interface Entry {
  readonly at: number
  readonly act: Act
}

/** Acts by their moments, in milliseconds since 1970; those of one moment in the order in which they were planned. */
export class Agenda {
  readonly #entries: Entry[] = []
  readonly #until: number
  #last = Number.NEGATIVE_INFINITY

  /** Acts after `until` are left out. */
  constructor(until: number) {
    this.#until = until
  }

  plan(at: number, act: Act): void {
    if (at > this.#until) return
    const before = this.#entries.findLastIndex((entry) => entry.at <= at)
    this.#entries.splice(before + 1, 0, { at, act })
  }

  /** Removes and returns the next act; null when none is left. No two have the same moment, because changes are told apart by it. */
  next(): Entry | null {
    const first = this.#entries.shift()
    if (first === undefined) return null
    this.#last = Math.max(first.at, this.#last + 1)
    return { at: this.#last, act: first.act }
  }
}
