/** Returned by matching functions if the text does not match. If it matches, they return the index after the match. */
export const NO_MATCH = -1
/** Returned by matching functions if the text ends before a match can be confirmed or ruled out. */
export const CUT_OFF = -2

const BACKSLASH = 0x5c
const PERCENT = 0x25
const LETTER_U = 0x75
const DIGIT_5 = 0x35

const SHORT_ESCAPES = new Map<number, readonly number[]>(
  [...'"/\b\f\n\r\t'].map((char, index) => [char.charCodeAt(0), ['"/bfnrt'.charCodeAt(index)]]),
)

/**
 * One character of a secret. A run of backslashes counts as a single character, because each level of JSON doubles the
 * run.
 */
interface Character {
  /** The UTF-8 bytes of the character. */
  readonly bytes: readonly number[]
  /** The UTF-16 code units of the character. */
  readonly units: readonly number[]
  /** The offset of the character in the secret, in bytes. */
  readonly offset: number
}

/**
 * A secret in every form that it can be written in: plain, escaped for JSON (or JSON within JSON), percent-encoded, or
 * a mixture of these.
 */
export class WrittenSecret {
  readonly bytes: Buffer
  readonly #characters: readonly Character[]

  constructor(secret: string) {
    this.bytes = Buffer.from(secret)
    let offset = 0
    this.#characters = [...secret.replace(/\\+/g, '\\')].map((char) => {
      const bytes = [...Buffer.from(char)]
      const character = { bytes, units: [...Array(char.length).keys()].map((at) => char.charCodeAt(at)), offset }
      offset += bytes.length
      return character
    })
  }

  /** The length of the shortest written form, in bytes. */
  get shortest(): number {
    return this.#characters.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** Calls `add` for every pair of bytes that can be adjacent in a written form. May also call it for other pairs. */
  eachPair(add: (first: number, second: number) => void): void {
    const join = (firsts: readonly number[], seconds: readonly number[]) => {
      for (const first of firsts) for (const second of seconds) add(first, second)
    }
    const joinAll = (...places: (readonly number[])[]) =>
      places.reduce((before, place) => {
        join(before, place)
        return place
      })
    // Add the byte pairs in runs of backslashes and in repeatedly encoded percent signs.
    joinAll([BACKSLASH], [BACKSLASH], [LETTER_U])
    joinAll([PERCENT], ...hexDigits(PERCENT, 2), ...hexDigits(PERCENT, 2))
    /** Adds the byte pairs within each form of a character. Returns the possible last bytes of these forms. */
    const joinForms = ({ bytes, units }: Character): readonly number[] => {
      joinAll(...bytes.map((byte) => [byte]))
      const ends = [bytes.at(-1) as number]
      for (const unit of units) {
        const short = SHORT_ESCAPES.get(unit) ?? []
        join([BACKSLASH], short)
        const lasts = [...joinAll([LETTER_U], ...hexDigits(unit, 4)), ...short]
        join(lasts, [BACKSLASH])
        ends.push(...lasts)
      }
      for (const byte of bytes) {
        // A repeatedly encoded percent sign is written as `%25`, so it ends in 5.
        const lasts = joinAll([PERCENT, DIGIT_5], ...hexDigits(byte, 2))
        join(lasts, [PERCENT])
        ends.push(...lasts)
      }
      return ends
    }
    const ends = new Map<string, readonly number[]>()
    for (const [index, character] of this.#characters.entries()) {
      const key = character.units.join()
      const lasts = ends.get(key) ?? joinForms(character)
      ends.set(key, lasts)
      const next = this.#characters[index + 1]
      if (next) join(lasts, [next.bytes[0] as number, BACKSLASH, PERCENT])
    }
  }

  /** Matches the secret at index `at`. Returns the index after the match, {@link NO_MATCH} or {@link CUT_OFF}. */
  endAt(text: Buffer, at: number): number {
    return this.#endFrom(text, at, 0)
  }

  #endFrom(text: Buffer, from: number, first: number): number {
    let at = from
    for (let index = first; index < this.#characters.length; index++) {
      const [end = NO_MATCH, ...others] = endsOf(text, at, this.#characters[index] as Character)
      for (const other of others) {
        const whole = this.#endFrom(text, other, index + 1)
        if (whole !== NO_MATCH) return whole
      }
      if (end < 0) return end
      at = end
    }
    return at
  }
}

function endsOf(text: Buffer, at: number, character: Character): number[] {
  const escaped = endOfEscaped(text, at, character)
  const plain = endOfPlain(text, at, character)
  // The last backslash of a run may be the start of an escape.
  if (character.units[0] === BACKSLASH) return escaped - at > 1 ? [escaped - 1, escaped] : [escaped]
  if (character.units[0] !== PERCENT || escaped < 0) return [escaped === NO_MATCH ? plain : escaped]
  // A percent sign may be literal, or encoded once or several times: `%25`, `%2525`.
  const ends = [escaped]
  for (let end = escaped; readHex(text, end, 2) === PERCENT; end += 2) ends.push(end + 2)
  return [plain, ...ends].filter((end) => end >= 0)
}

function endOfPlain(text: Buffer, at: number, { bytes }: Character): number {
  if (bytes[0] === BACKSLASH) return NO_MATCH
  for (let index = 0; index < bytes.length; index++) {
    if (at + index >= text.length) return CUT_OFF
    if (text[at + index] !== bytes[index]) return NO_MATCH
  }
  return at + bytes.length
}

function endOfEscaped(text: Buffer, at: number, character: Character): number {
  if (at >= text.length) return CUT_OFF
  if (text[at] === PERCENT) return endOfPercents(text, at, character.bytes)
  return text[at] === BACKSLASH ? endOfBackslashes(text, at, character.units) : NO_MATCH
}

function endOfBackslashes(text: Buffer, from: number, units: readonly number[]): number {
  let at = from
  for (const unit of units) {
    const start = at
    while (text[at] === BACKSLASH) at++
    if (at === text.length) return CUT_OFF
    if (at === start) return NO_MATCH
    if (SHORT_ESCAPES.get(unit)?.[0] === text[at]) at++
    else if (text[at] !== LETTER_U) return unit === BACKSLASH ? at : NO_MATCH
    else {
      const read = readHex(text, at + 1, 4)
      if (read === CUT_OFF) return CUT_OFF
      if (read !== unit) return unit === BACKSLASH ? at : NO_MATCH
      at += 5
    }
  }
  return at
}

function endOfPercents(text: Buffer, from: number, bytes: readonly number[]): number {
  let at = from
  for (const byte of bytes) {
    if (at >= text.length) return CUT_OFF
    if (text[at] !== PERCENT) return NO_MATCH
    let read = readHex(text, at + 1, 2)
    at += 3
    // In text that was encoded repeatedly, the percent sign itself is encoded.
    while (read === PERCENT && byte !== PERCENT) {
      read = readHex(text, at, 2)
      at += 2
    }
    if (read !== byte) return read === CUT_OFF ? CUT_OFF : NO_MATCH
  }
  return at
}

/** The value of each hexadecimal digit, or -1 for a byte that is not a digit. */
const HEX_VALUES = new Int8Array(256).fill(-1)
for (const digits of ['0123456789abcdef', '0123456789ABCDEF'])
  for (const [value, digit] of [...digits].entries()) HEX_VALUES[digit.charCodeAt(0)] = value

function readHex(text: Buffer, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    if (at >= text.length) return CUT_OFF
    const digit = HEX_VALUES[text[at] as number] as number
    if (digit < 0) return NO_MATCH
    value = value * 16 + digit
  }
  return value
}

function hexDigits(value: number, digits: number): number[][] {
  const text = value.toString(16).padStart(digits, '0')
  return [...text].map((digit) => [digit.charCodeAt(0), digit.toUpperCase().charCodeAt(0)])
}
