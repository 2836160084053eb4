import { createHmac, randomBytes } from 'node:crypto'
import { comparableCard, comparableName, comparablePhone } from '../comparable.ts'

/** What a pseudonym stands for; its first word says so. */
export type PseudonymKind = 'name' | 'email' | 'phone' | 'card' | 'company' | 'address' | 'staff' | 'id' | 'member'

/**
 * A letter, a digit, a letter, and so on: no two letters meet, so that no pseudonym spells a name by chance, nor has it as many
 * digits in a row as a phone.
 */
const LETTERS = 'bcdfghjkmnpqrstvwxz'
const PAIRS = 6

/** More words than these are no name, and get one pseudonym together. */
const MOST_WORDS = 6

/** How texts of a kind are compared, other than by their letters. */
const COMPARABLE: { readonly [kind in PseudonymKind]?: (text: string) => string } = {
  name: comparableName,
  staff: comparableName,
  phone: comparablePhone,
  card: comparableCard,
}

/**
 * What stands in place of guests: for the same text always the same, and of no use to find the text. The key is made for one
 * bundle and forgotten with it, so that nobody can try names, or compare two bundles.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32)
  readonly #given = new Map<string, string>()

  /** Returns the pseudonym of a text: `email-b4k7m2x9q3z1`. Texts that mean the same have the same one. */
  of(kind: PseudonymKind, text: string): string {
    const written = `${kind} ${text}`
    const given = this.#given.get(written)
    if (given !== undefined) return given
    const plain = text.normalize('NFC').trim().toLowerCase()
    const normal = `${kind} ${COMPARABLE[kind]?.(text.trim()) || plain}`
    const made = `${kind}-${this.#spell(normal)}`
    this.#given.set(written, made)
    return made
  }

  /** A name word by word, so that a full name still fits the first and the last one. */
  ofName(kind: PseudonymKind, text: string): string {
    const words = text.trim().split(/\s+/)
    return words.length > MOST_WORDS ? this.of(kind, text) : words.map((word) => this.of(kind, word)).join(' ')
  }

  #spell(text: string): string {
    const digest = createHmac('sha256', this.#key).update(text).digest()
    return Array.from({ length: PAIRS }, (_none, at) => {
      const letter = LETTERS[digest.readUInt16BE(4 * at) % LETTERS.length]
      return `${letter}${digest.readUInt16BE(4 * at + 2) % 10}`
    }).join('')
  }
}
