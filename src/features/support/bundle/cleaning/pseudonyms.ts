import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { comparableCard, comparableName, comparablePhone } from '../comparable.ts'

/** The kind of a pseudonym, which is also its prefix. */
export type PseudonymKind = 'name' | 'email' | 'phone' | 'card' | 'company' | 'address' | 'staff' | 'id' | 'member'

/**
 * The letters in pseudonyms. They alternate with digits, so that a pseudonym never spells a name or looks like a phone
 * number.
 */
const LETTERS = 'bcdfghjkmnpqrstvwxz'
const PAIRS = 6

/** The maximum number of words in a name. Longer text gets a single pseudonym instead of one for each word. */
const MAX_NAME_WORDS = 6

/** The maximum number of cached pseudonyms. */
const MAX_CACHED = 20_000

/** Functions that normalize text, keyed by kind, so that equivalent texts get the same pseudonym. */
const COMPARABLE: { readonly [kind in PseudonymKind]?: (text: string) => string } = {
  name: comparableName,
  staff: comparableName,
  phone: comparablePhone,
  card: comparableCard,
}

/**
 * Creates pseudonyms. The same text always gets the same pseudonym. The key is generated for a single bundle and never
 * stored, so no one can check a bundle for a name or compare two bundles.
 */
export class Pseudonyms {
  readonly #key = createSecretKey(randomBytes(32))
  readonly #given = new Map<string, string>()

  /** Returns a pseudonym such as `email-b4k7m2x9q3z1`. Equivalent strings get the same pseudonym. */
  of(kind: PseudonymKind, text: string): string {
    const written = `${kind} ${text}`
    const given = this.#given.get(written)
    if (given !== undefined) return given
    if (this.#given.size >= MAX_CACHED) this.#given.clear()
    const plain = text.normalize('NFC').trim().toLowerCase()
    const normal = `${kind} ${COMPARABLE[kind]?.(text.trim()) || plain}`
    const made = `${kind}-${this.#spell(normal)}`
    this.#given.set(written, made)
    return made
  }

  /** Replaces each word of a name separately, so that a full name still matches the first and last names. */
  ofName(kind: PseudonymKind, text: string): string {
    const words = text.trim().split(/\s+/)
    return words.length > MAX_NAME_WORDS ? this.of(kind, text) : words.map((word) => this.of(kind, word)).join(' ')
  }

  #spell(text: string): string {
    const digest = createHmac('sha256', this.#key).update(text).digest()
    let spelled = ''
    for (let at = 0; at < 4 * PAIRS; at += 4)
      spelled += `${LETTERS[digest.readUInt16BE(at) % LETTERS.length]}${digest.readUInt16BE(at + 2) % 10}`
    return spelled
  }
}
