/** More than this is not held for a reader that is slow. */
const MOST = 10_000

/** Hands what happens to whoever reads it, in order and as it comes. What nobody reads in time is left out. */
export class Feed<T> implements AsyncIterable<readonly T[]> {
  /** How many were left out. */
  unread = 0
  #waiting: T[] = []
  #wake: (() => void) | null = null
  #isEnded = false

  push(one: T): void {
    if (this.#waiting.length < MOST) this.#waiting.push(one)
    else this.unread++
    this.#wake?.()
  }

  /** Ends the feed, once what waits was read. */
  end(): void {
    this.#isEnded = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      if (batch.length > 0) yield batch
      else if (this.#isEnded) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
