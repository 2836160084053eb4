/** UTF-8 text that grows in a single buffer, so that only one copy is in memory. */
export class GrowingText {
  #bytes: Buffer
  #length = 0

  /**
   * Creates an empty text. `room` is its expected size in bytes. The operating system allocates memory only for the
   * bytes in use.
   */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafeSlow(room)
  }

  add(text: string): void {
    const needed = this.#length + Buffer.byteLength(text)
    if (needed > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes.subarray(0, this.#length)], 2 * needed)
    this.#length += this.#bytes.write(text, this.#length)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
