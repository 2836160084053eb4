import type { Span } from './secret-finder.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** No number that is worth waiting for is longer. */
const LONGEST_NUMBER = 1024

/** Whether a secret consists of characters that JSON also has outside of its texts, such as digits. */
export function mayBeBare(secret: string): boolean {
  return /^[\d+\-.eE,:\s[\]{}truefalsn]*$/.test(secret)
}

/** Knows which parts of a body are JSON texts, and which are outside of them. All of a body that is no JSON counts as text. */
export class BareText {
  #kind: 'unknown' | 'json' | 'other' = 'unknown'
  #isInText = false
  #isEscaped = false

  /** Reads on, from where it stopped. */
  passTo(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (this.#kind === 'unknown' && byte > 0x20) this.#kind = byte === 0x7b || byte === 0x5b ? 'json' : 'other'
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === QUOTE) this.#isInText = !this.#isInText
      else if (byte === BACKSLASH) this.#isEscaped = this.#isInText
    }
  }

  /**
   * Returns what to replace for a secret, when everything before `from` was read: the secret, or the whole number around it, which is
   * bare. Nothing (its end is its start) for a secret of which brackets or commas are a part.
   */
  around(bytes: Buffer, from: number, { start, end }: Span): Span & { readonly isBare: boolean } {
    if (this.#isTextAt(bytes, from, start)) return { start, end, isBare: false }
    if (!bytes.subarray(start, end).every(isOfNumber)) return { start, end: start, isBare: true }
    let [first, last] = [start, end]
    while (first > from && isOfNumber(bytes[first - 1])) first--
    while (last < bytes.length && isOfNumber(bytes[last])) last++
    return { start: first, end: last, isBare: true }
  }

  /** Returns where a number begins that ends at `to`; `to` if none does. */
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
    ahead.passTo(bytes, from, at)
    return ahead.#kind !== 'json' || ahead.#isInText
  }
}

/** Whether a byte is one of a number: a digit, a sign, the point or the letter of the exponent. */
function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || '+-.eE'.includes(String.fromCharCode(byte)))
}
