/** UTF-8 text that grows in a single buffer, so that memory holds it only once. */
export class GrowingText {
  #bytes: Buffer
  #length = 0

  /**
   * Creates a buffer of `room` bytes, which is the text's expected size. The operating system allocates memory only for
   * the bytes in use.
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
