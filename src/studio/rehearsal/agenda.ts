type Act = () => Promise<void>
type Entry = { readonly at: number; readonly act: Act }

/** Acts by time, in milliseconds since 1970; acts of one moment in the order of planning. */
export class Agenda {
  readonly #entries: Entry[] = []
  readonly #until: number
  #last = Number.NEGATIVE_INFINITY

  /** Leaves out acts after `until`. */
  constructor(until: number) {
    this.#until = until
  }

  plan(at: number, act: Act): void {
    if (at > this.#until) return
    const before = this.#entries.findLastIndex((entry) => entry.at <= at)
    this.#entries.splice(before + 1, 0, { at, act })
  }

  /** Removes and returns the next act; null for none. Makes moments unique, as clients tell changes apart by time. */
  next(): Entry | null {
    const first = this.#entries.shift()
    if (first === undefined) return null
    this.#last = Math.max(first.at, this.#last + 1)
    return { at: this.#last, act: first.act }
  }
}
