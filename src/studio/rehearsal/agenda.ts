/** Something that is done at a moment. */
export type Act = () => Promise<void>

interface Entry {
  readonly at: number
  readonly order: number
  readonly act: Act
}

/** What is to be done, by the moment (milliseconds since 1970); of one moment, in the order in which it was planned. */
export class Agenda {
  readonly #heap: Entry[] = []
  readonly #until: number
  #planned = 0
  #last = Number.NEGATIVE_INFINITY

  /** What comes after `until` is left out. */
  constructor(until: number) {
    this.#until = until
  }

  plan(at: number, act: Act): void {
    if (at > this.#until) return
    this.#heap.push({ at, order: this.#planned++, act })
    this.#rise(this.#heap.length - 1)
  }

  /** Takes what is next off the agenda; null when nothing is left. No two have the same moment: what changes is told apart by it. */
  next(): { readonly at: number; readonly act: Act } | null {
    const [first] = this.#heap
    const end = this.#heap.pop()
    if (first === undefined || end === undefined) return null
    if (end !== first) {
      this.#heap[0] = end
      this.#sink(0)
    }
    this.#last = Math.max(first.at, this.#last + 1)
    return { at: this.#last, act: first.act }
  }

  #rise(from: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#swapped(above, at)) return
      at = above
    }
  }

  #sink(from: number): void {
    let at = from
    for (;;) {
      const left = at * 2 + 1
      const least = this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#swapped(at, least)) return
      at = least
    }
  }

  /** Puts the earlier one above; false when it is there already. */
  #swapped(above: number, below: number): boolean {
    const [one, other] = [this.#heap[above], this.#heap[below]]
    if (!one || !other || !this.#isBefore(below, above)) return false
    this.#heap[above] = other
    this.#heap[below] = one
    return true
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (!a || !b) return false
    return a.at === b.at ? a.order < b.order : a.at < b.at
  }
}
