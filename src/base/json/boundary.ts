import { isSpace } from './bytes.ts'

/** Returned by {@link ValueBoundary.scan} if the value continues in the next chunk. */
export const NEEDS_MORE = -1
/** Returned by {@link ValueBoundary.scan} if the value is nested too deeply. */
export const TOO_DEEP = -2

/**
 * Finds the end of a JSON value that arrives in chunks. Tracks only strings and brackets, so it does not validate the
 * value.
 */
export class ValueBoundary {
  readonly #maxDepth: number
  #depth = 0
  #begun = false
  #inString = false
  #escaped = false

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  reset(): void {
    this.#depth = 0
    this.#begun = false
    this.#inString = false
    this.#escaped = false
  }

  /**
   * Scans the bytes between `from` and `to`. Returns the index after the value, {@link NEEDS_MORE} or {@link TOO_DEEP}.
   */
  scan(bytes: Uint8Array, from: number, to: number): number {
    let at = from
    while (at < to) {
      if (this.#inString) {
        at = this.#skipString(bytes, at, to)
        if (this.#inString) return NEEDS_MORE
        if (this.#depth === 0) return at
        continue
      }
      const byte = bytes[at] as number
      if (byte === 0x22 /* " */) this.#inString = true
      else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
        if (this.#depth === this.#maxDepth) return TOO_DEEP
        this.#depth++
      } else if (this.#depth === 0) {
        if (this.#begun && endsScalar(byte)) return at
      } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) {
        this.#depth--
        if (this.#depth === 0) return at + 1
      }
      this.#begun = true
      at++
    }
    return NEEDS_MORE
  }

  #skipString(bytes: Uint8Array, from: number, to: number): number {
    let at = from
    if (this.#escaped) {
      at++
      this.#escaped = false
    }
    while (at < to) {
      const byte = bytes[at] as number
      at++
      if (byte === 0x22) {
        this.#inString = false
        return at
      }
      if (byte === 0x5c /* \ */) {
        if (at === to) this.#escaped = true
        at++
      }
    }
    return to
  }
}

function endsScalar(byte: number): boolean {
  return byte === 0x2c /* , */ || byte === 0x5d || byte === 0x7d || isSpace(byte)
}
