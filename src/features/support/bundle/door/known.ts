import { comparableCard, comparableName, comparablePhone } from '../comparable.ts'
import { decodings } from '../decodings.ts'
import { FEWEST_DIGITS, findAllCards, findEmails, findPhones } from '../traces.ts'

/** The minimum length of a name. Shorter names occur in too many ordinary words. */
const SHORTEST_NAME = 3
/** The maximum number of words in a name whose single words are learned, too. */
const MOST_WORDS = 3
/** The maximum number of words that are compared with full names. */
const MOST_WORDS_OF_FULL = 6
/** The minimum length of a card number. Shorter ones could be any number. */
const SHORTEST_CARD = 8
const HEXADECIMAL = /^[\da-f-]{12,}$/i
/** The minimum length of a sentence. Shorter ones could be part of partner's own messages. */
const SHORTEST_SENTENCE = 8
/** The minimum length of a secret. Shorter ones could be part of any word. */
const SHORTEST_SECRET = 6
const SHORTEST_FOREIGN_SECRET = 12
/** The maximum number of cached decisions, and the maximum length of a text whose decision is cached. */
const MOST_DECISIONS = 20_000
const LONGEST_REMEMBERED = 200

/** The decisions about one text, and the text in all of its decoded forms. */
interface Decision {
  readonly forms: readonly string[]
  isTelling?: boolean
  hasName?: boolean
  hasFullName?: boolean
}

/** The guests' data learned so far, and the secrets in use. None of it may appear in a bundle. */
export class Known {
  /** The guests' phone numbers, as `comparablePhone` returns them. */
  readonly phones = new Set<string>()
  /** The guests' card numbers, as `comparableCard` returns them. */
  readonly cards = new Set<string>()
  /** Names that consist of one word. Like all names here, in the form that `comparableName` returns. */
  readonly names = new Set<string>()
  /** All words of names, including the parts of hyphenated words. */
  readonly nameWords = new Set<string>()
  readonly fullNames = new Set<string>()
  readonly secrets = new Set<string>()
  /** The secrets as a list, because `hideSecrets` prepares its search once per list. */
  readonly secretList: string[] = []
  /** Dropped sentences of the service and their replacements. Partner's own messages may quote these sentences. */
  readonly sentences = new Map<string, string>()

  /** The learned names as written. */
  readonly #learnedNames = new Set<string>()
  readonly #decisions = new Map<string, Decision>()
  /** The number of known items when the cached decisions were made. */
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
    // Longer names contain common words, such as `the` and `of` in `the Younger of Wooloomooloo`.
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

  /** Whether a text contains an e-mail address, phone number or card number, encoded or not. */
  isTelling(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.isTelling ??= decision.forms.some(
      (one) =>
        (this.cards.size > 0 && this.cards.has(comparableCard(one))) ||
        FINDERS.some((find) => find(one, this).length > 0),
    )
    return decision.isTelling
  }

  /** Whether an ID such as `smith-7` contains a guest's name, encoded or not. */
  hasNameIn(id: string): boolean {
    // Hexadecimal digits can spell a name by chance.
    if (HEXADECIMAL.test(id)) return false
    const decision = this.#decisionOn(id)
    decision.hasName ??= decision.forms.some((text) => partsOf(text).some((word) => this.nameWords.has(word)))
    return decision.hasName
  }

  /** Whether a text contains a guest's full name, as the label of a reserved table may. */
  hasFullNameIn(text: string): boolean {
    const decision = this.#decisionOn(text)
    decision.hasFullName ??= decision.forms.some(
      (one) => SPACE.test(one) && rowsOf(wordsOf(one)).some((row) => this.fullNames.has(row)),
    )
    return decision.hasFullName
  }

  /** Returns the cached decision about a text, or a new one if there is none or something was learned since. */
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

/** Returns all sequences of two or more consecutive words. */
function rowsOf(words: readonly string[]): string[] {
  return words.flatMap((_word, from) => {
    const most = Math.min(MOST_WORDS_OF_FULL, words.length - from)
    return Array.from({ length: Math.max(0, most - 1) }, (_none, at) => words.slice(from, from + at + 2).join(' '))
  })
}

function wordsOf(text: string): string[] {
  return comparableName(text).trim().split(/\s+/)
}
