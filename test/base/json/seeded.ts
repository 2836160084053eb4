/** Returns a generator of numbers in [0, 1) that depends only on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const PIECES = [...'"\\', '\\"', ...'{}[],: ', 'Zoë', '寿司', '🍣', '\u2028', '\u0007', 'null', '\ufffd']
const NUMBERS = ['0', '-0', '7', '-12', '25.00', '1e3', '1E-7', '9007199254740993', '0.1', '-3.25e+10']
const SPACES = ['', '', '', ' ', '\n', '\t ', '\r\n  ']

/** Generates random JSON text, with whitespace, escapes and numbers in every form that JSON allows. */
export class RandomJson {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  space(): string {
    return this.#pick(SPACES)
  }

  value(depth = 0): string {
    const kind = this.below(depth > 3 ? 5 : 9)
    if (kind === 0) return this.#pick(['null', 'true', 'false'])
    if (kind < 3) return this.#pick(NUMBERS)
    if (kind < 5) return this.#string()
    return kind < 7 ? this.array(depth) : this.object(depth)
  }

  object(depth = 0): string {
    const member = () => `${this.space()}${this.#string()}${this.space()}:${this.space()}${this.value(depth + 1)}`
    return `{${this.#many(member)}${this.space()}}`
  }

  array(depth = 0): string {
    return `[${this.#many(() => this.space() + this.value(depth + 1))}${this.space()}]`
  }

  #many(make: () => string): string {
    return Array.from({ length: this.below(4) }, make).join(`${this.space()},`)
  }

  #string(): string {
    const plain = JSON.stringify(Array.from({ length: this.below(5) }, () => this.#pick(PIECES)).join(''))
    if (this.below(3) > 0) return plain
    return plain.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }

  #pick(choices: readonly string[]): string {
    return choices[this.below(choices.length)] ?? ''
  }
}

/** Returns a random JSON number, with or without a sign, a fraction and an exponent, and with zeros in any position. */
export function randomNumber(random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit)
  const digits = (count: number) =>
    Array.from({ length: count }, () => (below(3) === 0 ? '0' : String(below(10)))).join('')
  const sign = below(3) === 0 ? '-' : ''
  const whole = below(3) === 0 ? '0' : `${1 + below(9)}${digits(below(below(2) === 0 ? 3 : 22))}`
  const fraction = below(2) === 0 ? `.${digits(1 + below(below(2) === 0 ? 2 : 20))}` : ''
  const exponent = below(5) === 0 ? `${'eE'[below(2)]}${['', '+', '-'][below(3)]}${digits(1 + below(3))}` : ''
  return sign + whole + fraction + exponent
}
