import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../../base/json/exact.ts'
import { HIDDEN, hideSecrets } from '../../../../base/redaction/redaction.ts'
import { findKnownPhone, MIN_DIGITS } from '../traces.ts'
import { droppedMarker, HAS_FORM, isKnownCode } from './forms.ts'
import { isKnownMember, isPersonalNumber, kindOf, type MemberKind } from './members.ts'
import { knownMessage } from './messages.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { SensitiveData } from './sensitive-data.ts'
import { cleanUrl } from './urls.ts'

const MAX_DEPTH = 100
/** Matches a name that a service could have given to a member, but not text that a user typed. */
const MEMBER_NAME = /^[a-z_][A-Za-z0-9_]{0,39}$/

/** The kinds of values that are replaced with pseudonyms, even if they are numbers. */
const PSEUDONYMOUS: ReadonlySet<MemberKind> = new Set(['name', 'email', 'phone', 'card', 'company', 'address', 'staff'])
/** The kinds of text that the cleaner collects guests' data and secrets from. */
const LEARNED_KINDS: ReadonlySet<MemberKind> = new Set(['name', 'staff', 'phone', 'card', 'secret'])

/**
 * Cleans data from a service or a receiver. Keeps harmless values: IDs, codes, times, amounts, and the names of
 * services and tables. Replaces guests' data with pseudonyms, and drops everything else.
 *
 * The cleaner learns the guests' names from the data itself. Call `learn` with all data before cleaning any of it, so
 * that a guest who is named in one place is recognized everywhere.
 */
export class Cleaner {
  readonly known = new SensitiveData()
  readonly #pseudonyms = new Pseudonyms()

  /** Collects guests' data and secrets from a JSON value. Faster than cleaning the value, but finds the same data. */
  learn(value: JsonValue, member = '', parent = '', level = 0): void {
    if (value === null || typeof value === 'boolean') return
    const number = numberText(value)
    if (typeof value === 'string') this.#learnText(kindOf(member, parent), value)
    else if (number !== null) {
      if (!isPersonalNumber(member) && PSEUDONYMOUS.has(kindOf(member, parent)))
        this.#learnText(kindOf(member, parent), number)
    } else if (level > MAX_DEPTH) return
    else if (isJsonObject(value)) {
      this.#learnFullName(value)
      for (const name of Object.keys(value)) this.learn(value[name] ?? null, name, member, level + 1)
    } else for (const one of value as readonly JsonValue[]) this.learn(one, member, parent, level + 1)
  }

  #learnFullName({ firstName, lastName }: JsonObject): void {
    if (typeof firstName === 'string' && typeof lastName === 'string') this.known.learnName(`${firstName} ${lastName}`)
  }

  #learnText(kind: MemberKind, text: string): void {
    // Ignore the cleaned text: this call only collects the data in it.
    if (kind === 'message' || kind === 'url') this.text(kind, text)
    else if (LEARNED_KINDS.has(kind) && text.trim() !== '') this.#learnCleared(kind, this.#withoutSecrets(text))
  }

  #learnCleared(kind: MemberKind, text: string): void {
    if (kind === 'name' || kind === 'staff') this.known.learnName(text)
    else if (kind === 'phone') this.known.learnPhone(text)
    else if (kind === 'card') this.known.learnCard(text)
    else if (kind === 'secret') this.known.learnForeignSecret(text)
  }

  /**
   * Cleans a JSON value. Preserves all digits of the numbers that it keeps. `member` and `parent` name the two
   * innermost members that contain the value.
   */
  json(value: JsonValue, member = '', parent = '', level = 0): JsonValue {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return this.text(kindOf(member, parent), value)
    const number = numberText(value)
    if (number !== null) return this.#number(value, number, member, parent)
    if (level > MAX_DEPTH) return '[dropped: nested too deeply]'
    if (isJsonObject(value)) return this.#object(value, member, level)
    return (value as readonly JsonValue[]).map((one) => this.json(one, member, parent, level + 1))
  }

  #object(object: JsonObject, member: string, level: number): JsonObject {
    this.#learnFullName(object)
    const clean: Record<string, JsonValue> = {}
    for (const name of Object.keys(object)) {
      const value = object[name] ?? null
      // A `name` next to a `statusType` is a status's label, not a guest's name.
      const isLabel = name === 'name' && typeof value === 'string' && typeof object['statusType'] === 'string'
      const cleanName = this.nameOf(name, MEMBER_NAME)
      const cleaned = isLabel ? this.text('word', value) : this.json(value, name, member, level + 1)
      if (cleanName !== '__proto__') clean[cleanName] = cleaned
      else Object.defineProperty(clean, cleanName, { value: cleaned, enumerable: true })
    }
    return clean
  }

  #number(value: JsonValue, written: string, member: string, parent: string): JsonValue {
    const kind = kindOf(member, parent)
    if (isPersonalNumber(member) || kind === 'secret') return '[dropped: a number]'
    if (PSEUDONYMOUS.has(kind)) return this.text(kind, written)
    const digits = written.replace(/\D/g, '')
    const phone = findKnownPhone(digits, this.known.phones)
    if (phone !== null) return this.#pseudonyms.of('phone', phone)
    if (this.known.cards.has(digits)) return this.#pseudonyms.of('card', digits)
    // A number in an unknown member may be a phone number if it is long enough.
    return kind === 'free' && digits.length >= MIN_DIGITS ? `[dropped: a number of ${digits.length} digits]` : value
  }

  /** Replaces the name of a member or parameter if a user may have typed it. */
  nameOf(name: string, form: RegExp): string {
    if (isKnownMember(name)) return name
    const isPlain = form.test(name) && !this.known.hasNameIn(name) && !this.known.hasPersonalData(name)
    return isPlain ? name : this.#pseudonyms.of('member', name)
  }

  text(kind: MemberKind, given: string): string {
    if (given.trim() === '') return given
    const text = this.#withoutSecrets(given)
    this.#learnCleared(kind, text)
    switch (kind) {
      case 'name':
      case 'staff':
        return this.#pseudonyms.ofName(kind, text)
      case 'phone':
      case 'card':
      case 'email':
      case 'company':
      case 'address':
        return this.#pseudonyms.of(kind, text)
      case 'secret':
        return HIDDEN
      case 'id':
        return this.id(text)
      case 'message':
        return this.#message(text)
      case 'url':
        return this.url(text)
      case 'free':
        return droppedMarker(text)
      default:
        return this.#kept(kind, text)
    }
  }

  #withoutSecrets(text: string): string {
    for (const secret of this.known.secrets) if (text.includes(secret)) return hideSecrets(text, this.known.secretList)
    return text
  }

  /** Returns an ID unchanged, or a pseudonym if the ID contains personal data. */
  id(text: string): string {
    const isPlain = HAS_FORM.id(text) && !this.known.hasPersonalData(text) && !this.known.hasNameIn(text)
    return isPlain ? text : this.#pseudonyms.of('id', text)
  }

  url(text: string): string {
    return cleanUrl(text, this)
  }

  #message(text: string): string {
    const cleanValue = (value: string, placeholder: string, kind: MemberKind | null) => {
      if (placeholder === 'field') return value.split('.').every(isKnownMember) ? value : droppedMarker(value)
      return this.text(kind ?? kindOf(placeholder, ''), value)
    }
    const known = knownMessage(text, cleanValue)
    if (known !== text) this.known.learnSentence(text, known ?? droppedMarker(text))
    return known ?? droppedMarker(text)
  }

  #kept(kind: 'place' | 'code' | 'time' | 'word' | 'number', text: string): string {
    if (HAS_FORM[kind](text) && !this.known.hasPersonalData(text) && !this.#isSomebody(kind, text)) return text
    return kind === 'place' ? this.#pseudonyms.of('id', text) : droppedMarker(text)
  }

  /**
   * Returns whether text contains a guest's full name. If it is a code that the contract does not define, any part of a
   * name counts.
   */
  #isSomebody(kind: MemberKind, text: string): boolean {
    if (kind === 'code' && this.known.hasNameIn(text) && !isKnownCode(text)) return true
    return this.known.hasFullNameIn(text)
  }
}
