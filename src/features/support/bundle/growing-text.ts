/** UTF-8 that grows without being held twice. */
export class GrowingText {
  #bytes: Buffer
  #length = 0

  /** `room`: about how many bytes it will have. Room that is not used takes no memory. */
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
