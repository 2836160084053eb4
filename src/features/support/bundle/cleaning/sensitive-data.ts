import { comparableCard, comparableName, comparablePhone } from '../comparable.ts'
import { decodings } from '../decodings.ts'
import { findAllCards, findEmails, findPhones, MIN_DIGITS } from '../traces.ts'

/** The minimum length of a name. Shorter names occur in too many ordinary words. */
const MIN_NAME_LENGTH = 3
/** The maximum number of words in a name. The words of longer names are not collected separately. */
const MAX_NAME_WORDS = 3
/** The maximum number of consecutive words that are compared with full names. */
const MAX_FULL_NAME_WORDS = 6
/** The minimum length of a card number. Shorter text could be any number. */
const MIN_CARD_LENGTH = 8
const HEXADECIMAL = /^[\da-f-]{12,}$/i
/** The minimum length of a sentence that counts as sensitive. Shorter ones could be part of partner's own messages. */
const MIN_SENTENCE_LENGTH = 8
/** The minimum length of a secret. A shorter secret could occur inside an ordinary word. */
const MIN_SECRET_LENGTH = 6
const MIN_FOREIGN_SECRET_LENGTH = 12
const MAX_CACHED_DECISIONS = 20_000
/** The maximum length of text whose decisions are cached. */
const MAX_CACHED_LENGTH = 200

/** A text as written and as decoded, with the cached decisions about it. */
interface Decision {
  readonly forms: readonly string[]
  hasPersonalData?: boolean
  hasName?: boolean
  hasFullName?: boolean
}

/** The guests' data collected so far, and the secrets in use. A bundle must contain neither. */
export class SensitiveData {
  /** The guests' phone numbers, normalized by `comparablePhone`. */
  readonly phones = new Set<string>()
  /** The guests' card numbers, normalized by `comparableCard`. */
  readonly cards = new Set<string>()
  /** Names of a single word. Like all names here, they are normalized by `comparableName`. */
  readonly names = new Set<string>()
  /** All words in names, including the parts of hyphenated words. */
  readonly nameWords = new Set<string>()
  readonly fullNames = new Set<string>()
  readonly secrets = new Set<string>()
  /** The secrets as an array, because `hideSecrets` prepares its search once for each array. */
  readonly secretList: string[] = []
  /**
   * Sentences from the service that were dropped, with their replacements. Partner's own messages may quote these
   * sentences.
   */
  readonly sentences = new Map<string, string>()

  /** The names collected so far, as written. */
  readonly #learnedNames = new Set<string>()
  readonly #decisions = new Map<string, Decision>()
  /** The number of collected items on which the cached decisions are based. */
  #decidedKnowing = 0

  learnPhone(text: string): void {
    if (text.replace(/\D/g, '').length >= MIN_DIGITS) this.phones.add(comparablePhone(text))
  }

  learnCard(text: string): void {
    if (text.trim().length >= MIN_CARD_LENGTH && /\d/.test(text)) this.cards.add(comparableCard(text))
  }

  learnName(text: string): void {
    if (this.#learnedNames.has(text)) return
    this.#learnedNames.add(text)
    const words = wordsOf(text)
    if (words.length > 1) this.fullNames.add(words.join(' '))
    // Do not collect the words of longer names, such as `the` and `of` in `the Younger of Wooloomooloo`.
    if (words.length > MAX_NAME_WORDS) return
    for (const word of words.flatMap((one) => [one, ...partsOf(one)]))
      if (word.length >= MIN_NAME_LENGTH) this.nameWords.add(word)
    const [name = ''] = words
    if (words.length === 1 && name.length >= MIN_NAME_LENGTH) this.names.add(name)
  }

  learnSentence(text: string, instead: string): void {
    const sentence = text.trim()
    if (sentence.length < MIN_SENTENCE_LENGTH) return
    this.sentences.set(sentence, instead)
    this.sentences.set(sentence.replace(/\s*\n\s*/g, ' '), instead)
  }

  learnSecret(secret: string): void {
    if (secret.length < MIN_SECRET_LENGTH || !secret.isWellFormed() || this.secrets.has(secret)) return
    this.secrets.add(secret)
    this.secretList.push(secret)
  }

  /** Collects another program's secret, unless it could be an ordinary word. */
  learnForeignSecret(secret: string): void {
    if (secret.length >= MIN_FOREIGN_SECRET_LENGTH && /\d/.test(secret) && /[a-z]/i.test(secret))
      this.learnSecret(secret)
  }

  /** Returns whether text contains an e-mail address, phone number or card number, even in encoded form. */
  hasPersonalData(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.hasPersonalData ??= decision.forms.some(
      (one) =>
        (this.cards.size > 0 && this.cards.has(comparableCard(one))) ||
        FINDERS.some((find) => find(one, this).length > 0),
    )
    return decision.hasPersonalData
  }

  /** Returns whether an ID such as `smith-7` contains a guest's name, even in encoded form. */
  hasNameIn(id: string): boolean {
    // Ignore a hexadecimal ID, because its digits can spell a name by chance.
    if (HEXADECIMAL.test(id)) return false
    const decision = this.#decisionOn(id)
    decision.hasName ??= decision.forms.some((text) => partsOf(text).some((word) => this.nameWords.has(word)))
    return decision.hasName
  }

  /** Returns whether text contains a guest's full name. The label of a reserved table may contain one. */
  hasFullNameIn(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.hasFullName ??= decision.forms.some(
      (one) => SPACE.test(one) && wordSequences(wordsOf(one)).some((row) => this.fullNames.has(row)),
    )
    return decision.hasFullName
  }

  /** Returns the cached decisions about a text, or an empty record. Clears the cache if it is full or outdated. */
  #decisionOn(text: string): Decision {
    const knowing = this.phones.size + this.cards.size + this.nameWords.size + this.fullNames.size
    if (knowing !== this.#decidedKnowing || this.#decisions.size >= MAX_CACHED_DECISIONS) this.#decisions.clear()
    this.#decidedKnowing = knowing
    const known = this.#decisions.get(text)
    if (known) return known
    const decision: Decision = { forms: [text, ...decodings(text)] }
    if (text.length <= MAX_CACHED_LENGTH) this.#decisions.set(text, decision)
    return decision
  }
}

const FINDERS = [findEmails, findPhones, findAllCards] as const
const SPACE = /\s/

function partsOf(id: string): string[] {
  return comparableName(id).split(/\P{L}+/u)
}

/** Returns all sequences of two or more consecutive words, up to a maximum length. */
function wordSequences(words: readonly string[]): string[] {
  return words.flatMap((_word, from) => {
    const most = Math.min(MAX_FULL_NAME_WORDS, words.length - from)
    return Array.from({ length: Math.max(0, most - 1) }, (_none, at) => words.slice(from, from + at + 2).join(' '))
  })
}

function wordsOf(text: string): string[] {
  return comparableName(text).trim().split(/\s+/)
}
