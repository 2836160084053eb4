import { CUT_OFF, WrittenSecret } from './written-secret.ts'

/**
 * The minimum length of a secret. Shorter secrets are not searched for, because they could be part of ordinary words.
 */
export const SHORTEST_SECRET = 6
const LONGEST_ESCAPE = 12
const NONE: readonly Span[] = []
const BACKSLASH = 0x5c
const PERCENT = 0x25

/** A range of bytes; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number }

/**
 * Finds secrets in UTF-8 text, in every form that {@link WrittenSecret} describes. For speed, samples the text for byte
 * pairs that a secret can contain, and examines only runs of such pairs.
 */
export class SecretFinder {
  readonly #secrets: readonly WrittenSecret[]
  /**
   * A lookup table for pairs of bytes. The index is the first byte times 256 plus the second. The value is 1 if a
   * written form can contain the pair.
   */
  readonly #isPair = new Uint8Array(0x1_00_00)
  /** Indexed by byte: 1 if a written form of a secret can begin with that byte, otherwise 0. */
  readonly #isFirst = new Uint8Array(256)
  /** The length of the shortest written form, in bytes. */
  readonly #shortest: number
  /** The length of the longest secret, without escapes, in bytes. */
  readonly #longest: number

  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .map((secret) => new WrittenSecret(secret))
    for (const secret of this.#secrets) secret.eachPair((first, second) => (this.#isPair[first * 256 + second] = 1))
    for (const { bytes } of this.#secrets) this.#isFirst[bytes[0] as number] = 1
    this.#isFirst[BACKSLASH] = this.#isFirst[PERCENT] = 1
    this.#shortest = Math.min(...this.#secrets.map(({ shortest }) => shortest))
    this.#longest = Math.max(0, ...this.#secrets.map(({ bytes }) => bytes.length))
  }

  get isEmpty(): boolean {
    return this.#secrets.length === 0
  }

  find(text: Buffer): readonly Span[] {
    const isPair = this.#isPair
    // With a larger step, the samples could miss every pair of the shortest secret.
    const step = Math.max(1, this.#shortest - 1)
    let found: Span[] | null = null
    for (let at = step - 1; at + 1 < text.length; at += step) {
      if (isPair[((text[at] as number) << 8) | (text[at + 1] as number)] === 0) continue
      let end = at + 2
      while (end < text.length && this.#isPairAt(text, end - 1)) end++
      const start = this.#runStart(text, at, 0)
      if (end - start >= this.#shortest) {
        found ??= []
        found.push(...this.#spansIn(text, start, end))
      }
      at = end - 1
    }
    return found ?? NONE
  }

  /**
   * Returns the start of a possible secret that is cut off by the end of the text, or the length of the text if there
   * is none.
   */
  openStart(text: Buffer, from: number): number {
    const first = Math.max(from, text.length - this.#longest * LONGEST_ESCAPE)
    for (let at = this.#runStart(text, text.length - 1, first); at < text.length; at++)
      if (this.#isFirst[text[at] as number] === 1 && this.#secrets.some((secret) => secret.endAt(text, at) === CUT_OFF))
        return at
    return text.length
  }

  #runStart(text: Buffer, at: number, first: number): number {
    let start = Math.max(at, first)
    while (start > first && this.#isPairAt(text, start - 1)) start--
    return start
  }

  #isPairAt(text: Buffer, at: number): boolean {
    return this.#isPair[((text[at] as number) << 8) | (text[at + 1] as number)] === 1
  }

  #spansIn(text: Buffer, start: number, runEnd: number): Span[] {
    const found: Span[] = []
    for (let at = start; at < runEnd; at++) {
      // A run of backslashes counts as one character, so a match can begin only at the start of the run.
      if (at > start && text[at] === BACKSLASH && text[at - 1] === BACKSLASH) continue
      const end = Math.max(...this.#secrets.map((secret) => secret.endAt(text, at)))
      if (end <= at) continue
      found.push({ start: at, end })
      at = end - 1
    }
    return found
  }
}
