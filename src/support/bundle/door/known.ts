import {
  FEWEST_DIGITS,
  findCards,
  findEmails,
  findInternationalPhones,
  findKnownPhones,
  phoneDigits,
} from '../traces.ts'

/** Shorter names are part of too many words. */
const SHORTEST_NAME = 3
/** Shorter card numbers could be any number, and those without a digit any word. */
const SHORTEST_CARD = 8
/** Shorter secrets could be part of any word. */
const SHORTEST_SECRET = 6

/**
 * What was met so far of guests, by the members that it stood in, and the secrets in use. What is known as a guest's in one
 * place is not let through in another.
 */
export class Known {
  /** Phone numbers by their digits. */
  readonly phones = new Set<string>()
  /** In upper case. */
  readonly cards = new Set<string>()
  /** The words of names as they were written, and in lower case. */
  readonly nameWords = new Set<string>()
  readonly lowerNames = new Set<string>()
  readonly secrets = new Set<string>()

  learnPhone(text: string): void {
    const digits = phoneDigits(text)
    if (digits.length >= FEWEST_DIGITS) this.phones.add(digits)
  }

  learnCard(text: string): void {
    if (text.trim().length >= SHORTEST_CARD && /\d/.test(text)) this.cards.add(text.trim().toUpperCase())
  }

  learnName(text: string): void {
    for (const word of text.trim().split(/\s+/)) {
      if (word.length < SHORTEST_NAME) continue
      this.nameWords.add(word)
      this.lowerNames.add(word.toLowerCase())
    }
  }

  learnSecret(secret: string): void {
    if (secret.length >= SHORTEST_SECRET) this.secrets.add(secret)
  }

  /** Whether a text holds an e-mail address, a phone number or a card number, or is a card number that is known. */
  isTelling(text: string): boolean {
    return (
      findEmails(text).length > 0 ||
      findInternationalPhones(text).length > 0 ||
      findKnownPhones(text, this.phones).length > 0 ||
      findCards(text).length > 0 ||
      this.cards.has(text.trim().toUpperCase())
    )
  }

  /** Whether one of the words of an ID is a guest's name: `smith-7`. */
  hasNameIn(id: string): boolean {
    return id
      .toLowerCase()
      .split(/[^\p{L}\p{M}']+/u)
      .some((word) => this.lowerNames.has(word))
  }
}
