import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../../base/json/exact.ts'
import { HIDDEN, hideSecrets } from '../../../../base/redaction/redaction.ts'
import { FEWEST_DIGITS, findKnownPhone } from '../traces.ts'
import { cleanUrl } from './address.ts'
import { dropped, HAS_FORM, isKnownCode } from './forms.ts'
import { Known } from './known.ts'
import { isGuestsNumber, isKnownMember, kindOf, type MemberKind } from './members.ts'
import { knownMessage } from './messages.ts'
import { Pseudonyms } from './pseudonyms.ts'

const MOST_LEVELS = 100
/** Names that a service makes; text that people type looks different. */
const MEMBER_NAME = /^[a-z_][A-Za-z0-9_]{0,39}$/

/**
 * Cleans everything that a service or a receiver sent. Keeps what is harmless: IDs, codes, times, amounts, names of services and
 * tables. Replaces guests by pseudonyms, and drops everything else.
 *
 * It learns as it goes, so clean everything twice and discard the first result: then a guest who is known in one place is known in
 * all others.
 */
export class Door {
  readonly known = new Known()
  readonly #pseudonyms = new Pseudonyms()

  /** Cleans a JSON value. Keeps the digits of numbers. `member` and `parent` say where it is. */
  json(value: JsonValue, member = '', parent = '', level = 0): JsonValue {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return this.text(kindOf(member, parent), value)
    const number = numberText(value)
    if (number !== null) return this.#number(value, number, member, parent)
    if (level > MOST_LEVELS) return '[dropped: nested too deeply]'
    if (isJsonObject(value)) return this.#object(value, member, level)
    return (value as readonly JsonValue[]).map((one) => this.json(one, member, parent, level + 1))
  }

  #object(object: JsonObject, member: string, level: number): JsonObject {
    const { firstName, lastName } = object
    if (typeof firstName === 'string' && typeof lastName === 'string') this.known.learnName(`${firstName} ${lastName}`)
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        this.nameOf(name, MEMBER_NAME),
        // The label of a status is next to its code.
        name === 'name' && typeof value === 'string' && typeof object['statusType'] === 'string'
          ? this.text('word', value)
          : this.json(value ?? null, name, member, level + 1),
      ]),
    )
  }

  #number(value: JsonValue, written: string, member: string, parent: string): JsonValue {
    const kind = kindOf(member, parent)
    if (isGuestsNumber(member) || kind === 'secret') return '[dropped: a number]'
    if (['name', 'email', 'phone', 'card', 'company', 'address', 'staff'].includes(kind))
      return this.text(kind, written)
    const digits = written.replace(/\D/g, '')
    const phone = findKnownPhone(digits, this.known.phones)
    if (phone !== null) return this.#pseudonyms.of('phone', phone)
    if (this.known.cards.has(digits)) return this.#pseudonyms.of('card', digits)
    // A number as long as a phone number is kept only in members where it cannot be one.
    return kind === 'free' && digits.length >= FEWEST_DIGITS ? `[dropped: a number of ${digits.length} digits]` : value
  }

  /** Replaces the name of a member or parameter that looks as if a person typed it. */
  nameOf(name: string, form: RegExp): string {
    if (isKnownMember(name)) return name
    const isPlain = form.test(name) && !this.known.hasNameIn(name) && !this.known.isTelling(name)
    return isPlain ? name : this.#pseudonyms.of('member', name)
  }

  /** Cleans a text whose meaning is known. */
  text(kind: MemberKind, given: string): string {
    if (given.trim() === '') return given
    const text = this.#withoutSecrets(given)
    switch (kind) {
      case 'name':
      case 'staff':
        this.known.learnName(text)
        return this.#pseudonyms.ofName(kind, text)
      case 'phone':
        this.known.learnPhone(text)
        return this.#pseudonyms.of(kind, text)
      case 'card':
        this.known.learnCard(text)
        return this.#pseudonyms.of(kind, text)
      case 'email':
      case 'company':
      case 'address':
        return this.#pseudonyms.of(kind, text)
      case 'secret':
        this.known.learnForeignSecret(text)
        return HIDDEN
      case 'id':
        return this.id(text)
      case 'message':
        return this.#message(text)
      case 'url':
        return this.url(text)
      case 'free':
        return dropped(text)
      default:
        return this.#kept(kind, text)
    }
  }

  #withoutSecrets(text: string): string {
    for (const secret of this.known.secrets)
      if (text.includes(secret)) return hideSecrets(text, [...this.known.secrets])
    return text
  }

  /** Keeps an ID, unless it identifies a person. */
  id(text: string): string {
    const isPlain = HAS_FORM.id(text) && !this.known.isTelling(text) && !this.known.hasNameIn(text)
    return isPlain ? text : this.#pseudonyms.of('id', text)
  }

  url(text: string): string {
    return cleanUrl(text, this)
  }

  #message(text: string): string {
    const cleanValue = (value: string, placeholder: string, kind: MemberKind | null) => {
      if (placeholder === 'field') return value.split('.').every(isKnownMember) ? value : dropped(value)
      return this.text(kind ?? kindOf(placeholder, ''), value)
    }
    const known = knownMessage(text, cleanValue)
    if (known !== text) this.known.learnSentence(text, known ?? dropped(text))
    return known ?? dropped(text)
  }

  #kept(kind: 'place' | 'code' | 'time' | 'word' | 'number', text: string): string {
    if (HAS_FORM[kind](text) && !this.known.isTelling(text) && !this.#isSomebody(kind, text)) return text
    return kind === 'place' ? this.#pseudonyms.of('id', text) : dropped(text)
  }

  /** Whether a text contains a guest's full name, or, in a code that is not known, any part of one. */
  #isSomebody(kind: MemberKind, text: string): boolean {
    if (kind === 'code' && this.known.hasNameIn(text) && !isKnownCode(text)) return true
    return this.known.hasFullNameIn(text)
  }
}
