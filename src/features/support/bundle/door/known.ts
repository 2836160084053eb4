import { comparableCard, comparableName, comparablePhone } from '../comparable.ts'
import { decodings } from '../decodings.ts'
import { FEWEST_DIGITS, findAllCards, findEmails, findPhones } from '../traces.ts'

/** Shorter names are part of too many words. */
const SHORTEST_NAME = 3
/** The most words of a name. */
const MOST_WORDS = 3
const MOST_WORDS_OF_FULL = 6
/** Shorter card numbers could be any number. */
const SHORTEST_CARD = 8
const HEXADECIMAL = /^[\da-f-]{12,}$/i
/** Shorter sentences could be part of our own. */
const SHORTEST_SENTENCE = 8
/** Shorter secrets could be part of any word. */
const SHORTEST_SECRET = 6
const SHORTEST_FOREIGN_SECRET = 12
/** Limits of the decisions that are remembered. */
const MOST_DECISIONS = 20_000
const LONGEST_REMEMBERED = 200

/** What was decided about a text, and the text in all encodings. */
interface Decision {
  readonly forms: readonly string[]
  isTelling?: boolean
  hasName?: boolean
  hasFullName?: boolean
}

/** What is known of guests so far, and the secrets in use. Nothing of it may be anywhere in a bundle. */
export class Known {
  /** Phone numbers, as `comparablePhone` returns them. */
  readonly phones = new Set<string>()
  /** Card numbers, as `comparableCard` returns them. */
  readonly cards = new Set<string>()
  /** Names of one word. All names are as `comparableName` returns them. */
  readonly names = new Set<string>()
  /** The words of names, also those joined by hyphens. */
  readonly nameWords = new Set<string>()
  readonly fullNames = new Set<string>()
  readonly secrets = new Set<string>()
  /** The same as a list, for which `hideSecrets` prepares its search once. */
  readonly secretList: string[] = []
  /** Dropped sentences of the service, and their replacements. Our own messages quote them. */
  readonly sentences = new Map<string, string>()

  /** Names as they were written. */
  readonly #learnedNames = new Set<string>()
  readonly #decisions = new Map<string, Decision>()
  /** How much was known when these decisions were made. */
  #decidedKnowing = 0

  learnPhone(text: string): void {
    if (text.replace(/\D/g, '').length >= FEWEST_DIGITS) this.phones.add(comparablePhone(text))
  }

  learnCard(text: string): void {
    if (text.trim().length >= SHORTEST_CARD && /\d/.test(text)) this.cards.add(comparableCard(text))
  }

  learnName(text: string): void {
    if (this.#learnedNames.has(text)) return
    this.#learnedNames.add(text)
    const words = wordsOf(text)
    if (words.length > 1) this.fullNames.add(words.join(' '))
    // Longer names have common words, such as `the Younger of Wooloomooloo`.
    if (words.length > MOST_WORDS) return
    for (const word of words.flatMap((one) => [one, ...partsOf(one)]))
      if (word.length >= SHORTEST_NAME) this.nameWords.add(word)
    const [name = ''] = words
    if (words.length === 1 && name.length >= SHORTEST_NAME) this.names.add(name)
  }

  learnSentence(text: string, instead: string): void {
    const sentence = text.trim()
    if (sentence.length < SHORTEST_SENTENCE) return
    this.sentences.set(sentence, instead)
    this.sentences.set(sentence.replace(/\s*\n\s*/g, ' '), instead)
  }

  learnSecret(secret: string): void {
    if (secret.length < SHORTEST_SECRET || !secret.isWellFormed() || this.secrets.has(secret)) return
    this.secrets.add(secret)
    this.secretList.push(secret)
  }

  /** Learns a secret of another program, unless it could be an ordinary word. */
  learnForeignSecret(secret: string): void {
    if (secret.length >= SHORTEST_FOREIGN_SECRET && /\d/.test(secret) && /[a-z]/i.test(secret)) this.learnSecret(secret)
  }

  /** Whether a text contains an e-mail address, phone number or card number, in any encoding. */
  isTelling(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.isTelling ??= decision.forms.some(
      (one) =>
        (this.cards.size > 0 && this.cards.has(comparableCard(one))) ||
        FINDERS.some((find) => find(one, this).length > 0),
    )
    return decision.isTelling
  }

  /** Whether an ID such as `smith-7` contains a guest's name, in any encoding. */
  hasNameIn(id: string): boolean {
    // Hexadecimal digits may spell a name by chance.
    if (HEXADECIMAL.test(id)) return false
    const decision = this.#decisionOn(id)
    decision.hasName ??= decision.forms.some((text) => partsOf(text).some((word) => this.nameWords.has(word)))
    return decision.hasName
  }

  /** Whether a text contains a guest's full name, such as a table that is reserved for a guest. */
  hasFullNameIn(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.hasFullName ??= decision.forms.some(
      (one) => SPACE.test(one) && rowsOf(wordsOf(one)).some((row) => this.fullNames.has(row)),
    )
    return decision.hasFullName
  }

  /** Returns what was decided about a text, unless something was learned since. */
  #decisionOn(text: string): Decision {
    const knowing = this.phones.size + this.cards.size + this.nameWords.size + this.fullNames.size
    if (knowing !== this.#decidedKnowing || this.#decisions.size >= MOST_DECISIONS) this.#decisions.clear()
    this.#decidedKnowing = knowing
    const known = this.#decisions.get(text)
    if (known) return known
    const decision: Decision = { forms: [text, ...decodings(text)] }
    if (text.length <= LONGEST_REMEMBERED) this.#decisions.set(text, decision)
    return decision
  }
}

const FINDERS = [findEmails, findPhones, findAllCards] as const
const SPACE = /\s/

function partsOf(id: string): string[] {
  return comparableName(id).split(/\P{L}+/u)
}

/** All rows of two and more words. */
function rowsOf(words: readonly string[]): string[] {
  return words.flatMap((_word, from) => {
    const most = Math.min(MOST_WORDS_OF_FULL, words.length - from)
    return Array.from({ length: Math.max(0, most - 1) }, (_none, at) => words.slice(from, from + at + 2).join(' '))
  })
}

function wordsOf(text: string): string[] {
  return comparableName(text).trim().split(/\s+/)
}
