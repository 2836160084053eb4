/** Hands what happens to whoever reads it, in order and as it comes. What nobody reads in time is left out. */
export class Feed<T> implements AsyncIterable<readonly T[]> {
  readonly #most: number
  #waiting: T[] = []
  #wake: (() => void) | null = null
  #isEnded = false

  /** @param most how many may wait for the reader. */
  constructor(most: number) {
    this.#most = most
  }

  /** Adds one; false: too many wait, and it was left out. */
  push(one: T): boolean {
    if (this.#waiting.length >= this.#most) return false
    this.#waiting.push(one)
    this.#wake?.()
    return true
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
