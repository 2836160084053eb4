import type { Span } from './secret-finder.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The maximum number of characters to hold back until a number is complete. */
const LONGEST_NUMBER = 1024

/** Returns whether a secret consists only of characters, such as digits, that JSON allows outside of strings. */
export function mayBeBare(secret: string): boolean {
  return /^[\d+\-.eE,:\s[\]{}truefalsn]*$/.test(secret)
}

/** Tracks which parts of a body are inside JSON strings. A body that is not JSON counts as a single string. */
export class BareText {
  #kind: 'unknown' | 'json' | 'other' = 'unknown'
  #isInText = false
  #isEscaped = false

  /** Updates the state with the bytes between `from` and `to`. */
  advance(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (this.#kind === 'unknown' && byte > 0x20) this.#kind = byte === 0x7b || byte === 0x5b ? 'json' : 'other'
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === QUOTE) this.#isInText = !this.#isInText
      else if (byte === BACKSLASH) this.#isEscaped = this.#isInText
    }
  }

  /**
   * Returns the bytes that must be replaced to hide a secret: the secret itself if it is inside a JSON string,
   * otherwise the whole number that contains it. Returns an empty span if the secret includes JSON syntax.
   */
  around(bytes: Buffer, from: number, { start, end }: Span): Span & { readonly isBare: boolean } {
    if (this.#isTextAt(bytes, from, start)) return { start, end, isBare: false }
    if (!bytes.subarray(start, end).every(isOfNumber)) return { start, end: start, isBare: true }
    let [first, last] = [start, end]
    while (first > from && isOfNumber(bytes[first - 1])) first--
    while (last < bytes.length && isOfNumber(bytes[last])) last++
    return { start: first, end: last, isBare: true }
  }

  /** Returns the start of the number that ends at `to`, or `to` if no number ends there. */
  startOfLast(bytes: Buffer, to: number): number {
    let at = to
    while (at > 0 && to - at < LONGEST_NUMBER && isOfNumber(bytes[at - 1])) at--
    return at
  }

  #isTextAt(bytes: Buffer, from: number, at: number): boolean {
    const ahead = new BareText()
    ahead.#kind = this.#kind
    ahead.#isInText = this.#isInText
    ahead.#isEscaped = this.#isEscaped
    ahead.advance(bytes, from, at)
    return ahead.#kind !== 'json' || ahead.#isInText
  }
}

function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || '+-.eE'.includes(String.fromCharCode(byte)))
}
