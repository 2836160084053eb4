const MAX_BUFFERED = 10_000

/** A queue between a writer and a reader. While it is full, it drops new items and counts them in `droppedCount`. */
export class Feed<T> implements AsyncIterable<readonly T[]> {
  droppedCount = 0
  #waiting: T[] = []
  #wake: (() => void) | null = null
  #isEnded = false

  push(one: T): void {
    if (this.#waiting.length < MAX_BUFFERED) this.#waiting.push(one)
    else this.droppedCount++
    this.#wake?.()
  }

  /** Ends the feed after the reader has received all buffered items. */
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
