import { LiteralSearch } from './literal-search.ts'
import { CUT_OFF, escapedUnit, WrittenSecret } from './written-secret.ts'

/** Shorter secrets are not looked for: they could be part of any word. */
export const SHORTEST_SECRET = 6

/** The most bytes of an escape that stands for one byte, with a few backslashes to spare. */
const LONGEST_ESCAPE = 12

const NONE: readonly Span[] = []
const BACKSLASH = 0x5c
const PERCENT = 0x25
/** Follows the backslash in every `\u` escape of Latin-1. Texts have far fewer of these than backslashes. */
const LATIN_1_ESCAPE = 'u00'
/** How a written form may begin with a byte. */
const FIRST_OF_SECRET = 1
const FIRST_OF_ESCAPE = 2

/** Where a secret is in a text: from its first byte to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Finds secrets in UTF-8, in every form of {@link WrittenSecret}. Text without any is read at the speed of memory. */
export class SecretFinder {
  readonly #secrets: readonly WrittenSecret[]
  readonly #literals: readonly LiteralSearch[]
  /** 1 for the low byte of each character whose escape may be part of a secret. */
  readonly #isEscapable = new Uint8Array(256)
  /** For each byte, how a written form may begin with it; 0 if none does. */
  readonly #firsts = new Uint8Array(256)
  /** 1 for each byte that may follow a backslash in a written form. */
  readonly #isAfterBackslash = new Uint8Array(256)
  /** Whether a backslash may be followed by other bytes than `u`. */
  readonly #hasShortEscape: boolean
  /** The text to search for to find every escape with a backslash. */
  readonly #escape: string
  readonly #longest: number

  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .map((secret) => new WrittenSecret(secret))
    this.#literals = this.#secrets.map(({ bytes }) => new LiteralSearch(bytes))
    for (const secret of this.#secrets) for (const unit of secret.escapable) this.#isEscapable[unit & 0xff] = 1
    this.#firsts[BACKSLASH] = this.#firsts[PERCENT] = FIRST_OF_ESCAPE
    for (const { bytes } of this.#secrets) this.#firsts[bytes[0] as number] = FIRST_OF_SECRET
    for (const byte of this.#secrets.flatMap(({ shortEscapes }) => [...shortEscapes])) this.#isAfterBackslash[byte] = 1
    this.#hasShortEscape = this.#isAfterBackslash.includes(1)
    const isLatin1 = this.#secrets.every(({ escapable }) => [...escapable].every((unit) => unit < 256))
    this.#escape = this.#hasShortEscape ? '\\' : isLatin1 ? LATIN_1_ESCAPE : '\\u'
    this.#longest = Math.max(0, ...this.#secrets.map(({ bytes }) => bytes.length))
  }

  /** Whether there is anything to look for. */
  get isEmpty(): boolean {
    return this.#secrets.length === 0
  }

  /** Finds every secret in a text, in order, without overlaps. */
  find(text: Buffer): readonly Span[] {
    if (this.#isClean(text)) return NONE
    const starts = [...this.#literalStarts(text), ...this.#escapedStarts(text)].sort((a, b) => a - b)
    const found: Span[] = []
    for (const start of starts) {
      if (start < (found.at(-1)?.end ?? 0)) continue
      const end = Math.max(...this.#secrets.map((secret) => secret.endAt(text, start)))
      if (end > start) found.push({ start, end })
    }
    return found
  }

  /** Returns where a secret may start that goes on behind the end of the text; the length of the text if nowhere. */
  openStart(text: Buffer, from: number): number {
    const last = text.subarray(Math.max(from, text.length - this.#longest * LONGEST_ESCAPE))
    const hasEscape = last.includes(BACKSLASH) || last.includes(PERCENT)
    for (let at = hasEscape ? 0 : Math.max(0, last.length - this.#longest); at < last.length; at++)
      if (this.#mayStart(last, at) && this.#secrets.some((secret) => secret.endAt(last, at) === CUT_OFF))
        return text.length - last.length + at
    return text.length
  }

  /** Whether a written form may start at a byte. */
  #mayStart(text: Buffer, at: number): boolean {
    const first = this.#firsts[text[at] as number] as number
    if (first !== FIRST_OF_ESCAPE || at + LONGEST_ESCAPE > text.length) return first !== 0
    return text[at + 1] === BACKSLASH || this.#mayBeEscaped(text, at)
  }

  /** Whether a text surely has no secret. Nearly all have none, so this is all that is done to them. */
  #isClean(text: Buffer): boolean {
    for (const literal of this.#literals) if (literal.next(text, 0) >= 0) return false
    return !this.#hasEscape(text, this.#escape) && !this.#hasEscape(text, '%')
  }

  /** Whether a text has an escape that may be part of a secret. */
  #hasEscape(text: Buffer, start: string): boolean {
    const first = text.indexOf(start)
    if (first < 0) return false
    // Where there are many, going from one to the next takes half as long in a string as in a buffer.
    const string = text.toString('latin1', first)
    const offset = start === LATIN_1_ESCAPE ? first - 1 : first
    for (let at = 0; at >= 0; at = string.indexOf(start, at + 1)) if (this.#mayBeEscaped(text, offset + at)) return true
    return false
  }

  *#literalStarts(text: Buffer): Generator<number> {
    for (const literal of this.#literals)
      for (let at = literal.next(text, 0); at >= 0; at = literal.next(text, at + 1)) yield at
  }

  *#escapedStarts(text: Buffer): Generator<number> {
    for (let at = text.indexOf(BACKSLASH); at >= 0; at = text.indexOf(BACKSLASH, at + 1)) {
      // Of several backslashes, the last is the one that matters.
      if (text[at + 1] !== BACKSLASH && this.#mayBeEscaped(text, at)) {
        let run = at
        while (run > 0 && text[run - 1] === BACKSLASH) run--
        yield* this.#startsBefore(text, run)
      }
    }
    for (let at = text.indexOf(PERCENT); at >= 0; at = text.indexOf(PERCENT, at + 1))
      if (this.#mayBeEscaped(text, at)) yield* this.#startsBefore(text, at)
  }

  #mayBeEscaped(text: Buffer, at: number): boolean {
    if (this.#hasShortEscape && text[at] === BACKSLASH && this.#isAfterBackslash[text[at + 1] ?? BACKSLASH] === 1)
      return true
    const unit = escapedUnit(text, at)
    // A percent sign may be the beginning of any escape that was encoded again.
    return unit === PERCENT || (unit >= 0 && this.#isEscapable[unit & 0xff] === 1)
  }

  *#startsBefore(text: Buffer, at: number): Generator<number> {
    for (const secret of this.#secrets) {
      const start = secret.startBefore(text, at)
      if (start >= 0) yield start
    }
  }
}
