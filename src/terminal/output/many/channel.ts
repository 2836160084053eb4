/** Passes values from several producers to one consumer, in order. Each producer waits until its value is consumed. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #waiting: { readonly value: T; readonly taken: () => void; readonly refused: (error: unknown) => void }[] =
    []
  #wake: () => void = () => {}
  #end: { readonly error: unknown } | 'whole' | null = null

  /** Adds a value and waits until it is consumed. Throws the error passed to `fail`. */
  push(value: T): Promise<void> {
    if (this.#end !== null && this.#end !== 'whole') return Promise.reject(this.#end.error)
    return new Promise((taken, refused) => {
      this.#waiting.push({ value, taken, refused })
      this.#wake()
    })
  }

  end(): void {
    this.#end ??= 'whole'
    this.#wake()
  }

  /** Makes the consumer and all producers fail with the given error. */
  fail(error: unknown): void {
    if (this.#end !== null) return
    this.#end = { error }
    for (const { refused } of this.#waiting.splice(0)) refused(error)
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) {
        next.taken()
        yield next.value
        continue
      }
      if (this.#end === 'whole') return
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }
}
