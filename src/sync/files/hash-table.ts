const FIRST_SLOTS = 256
/** Beyond this share of used slots, finding takes longer. */
const FULLEST = 0.8
/** By how much a table grows that is full: little, so that not much of it is empty. */
const GROWTH = 1.25
/** Of 32 bits each. */
const HASH_WORDS = 3
/** A slot has the hash and its time, so that all of it is one piece of memory. */
const SLOT_WORDS = HASH_WORDS + 1
/** A table has so many parts, which grow one by one: at no time is all of it there twice. */
const PARTS = 16

/** In place of the time of a slot that has none. */
const [EMPTY, NEVER, LATEST] = [0, 1, 0xffffffff]
const FIRST_MS = Date.UTC(2000, 0, 1)

/** A time in 32 bits: seconds, rounded up. */
function toSeconds(ms: number): number {
  if (ms === Number.NEGATIVE_INFINITY) return NEVER
  return ms === Number.POSITIVE_INFINITY ? LATEST : Math.min(Math.max(Math.ceil((ms - FIRST_MS) / 1000), 2), LATEST - 1)
}

function toMs(seconds: number): number {
  if (seconds === NEVER) return Number.NEGATIVE_INFINITY
  return seconds === LATEST ? Number.POSITIVE_INFINITY : FIRST_MS + seconds * 1000
}

/**
 * Remembers texts by 96 bits of each, with a time for each (epoch milliseconds, rounded up to seconds; or infinite): a million
 * take 26 MB at most, where a Map would take eight times as much. That two texts share all bits does not happen.
 */
export class HashTable {
  readonly #parts = Array.from({ length: PARTS }, () => new Part())

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  has(text: string): boolean {
    const hash = hashOf(text)
    return this.#partOf(hash).has(hash)
  }

  /** Sets the time of a text; returns whether the text is new. */
  set(text: string, ms: number): boolean {
    const hash = hashOf(text)
    return this.#partOf(hash).put(hash, toSeconds(ms))
  }

  /** Puts in what {@link entries} gave. */
  setHash(hex: string, ms: number): void {
    const words = Array.from({ length: HASH_WORDS }, (_, word) =>
      Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16),
    )
    const hash = Uint32Array.from(words)
    this.#partOf(hash).put(hash, toSeconds(ms))
  }

  /** Every hash, in hexadecimal, whose time is not before `leastMs`, with its time. */
  *entries(leastMs: number): Generator<readonly [hex: string, ms: number]> {
    for (const part of this.#parts) yield* part.entries(leastMs)
  }

  /** Gives a time to those that have an infinite one. */
  settle(ms: number): void {
    for (const part of this.#parts) part.replace(LATEST, toSeconds(ms))
  }

  #partOf(hash: Uint32Array): Part {
    return this.#parts[(hash[HASH_WORDS - 1] as number) % PARTS] as Part
  }
}

/** A part of a table, by open addressing. */
class Part {
  #slots = new Uint32Array(FIRST_SLOTS * SLOT_WORDS)
  size = 0

  has(hash: Uint32Array): boolean {
    return this.#slots[this.#find(hash) + HASH_WORDS] !== EMPTY
  }

  put(hash: Uint32Array, seconds: number): boolean {
    let at = this.#find(hash)
    const isNew = this.#slots[at + HASH_WORDS] === EMPTY
    if (isNew) {
      if (this.size >= (this.#slots.length / SLOT_WORDS) * FULLEST) {
        this.#grow()
        at = this.#find(hash)
      }
      this.#slots.set(hash, at)
      this.size++
    }
    this.#slots[at + HASH_WORDS] = seconds
    return isNew
  }

  *entries(leastMs: number): Generator<readonly [hex: string, ms: number]> {
    for (let at = 0; at < this.#slots.length; at += SLOT_WORDS) {
      const seconds = this.#slots[at + HASH_WORDS] as number
      if (seconds !== EMPTY && toMs(seconds) >= leastMs)
        yield [hexOf(this.#slots.subarray(at, at + HASH_WORDS)), toMs(seconds)]
    }
  }

  replace(from: number, to: number): void {
    for (let at = HASH_WORDS; at < this.#slots.length; at += SLOT_WORDS)
      if (this.#slots[at] === from) this.#slots[at] = to
  }

  /** Where the slot of a hash begins, or would. */
  #find(hash: Uint32Array): number {
    const slots = this.#slots
    const count = slots.length / SLOT_WORDS
    let slot = (hash[0] as number) % count
    for (;;) {
      const at = slot * SLOT_WORDS
      const isIt = slots[at] === hash[0] && slots[at + 1] === hash[1] && slots[at + 2] === hash[2]
      if (isIt || slots[at + HASH_WORDS] === EMPTY) return at
      slot = slot + 1 === count ? 0 : slot + 1
    }
  }

  #grow(): void {
    const slots = this.#slots
    this.#slots = new Uint32Array(Math.ceil((slots.length / SLOT_WORDS) * GROWTH) * SLOT_WORDS)
    for (let at = 0; at < slots.length; at += SLOT_WORDS) {
      if (slots[at + HASH_WORDS] === EMPTY) continue
      const slot = slots.subarray(at, at + SLOT_WORDS)
      this.#slots.set(slot, this.#find(slot))
    }
    // Gives its memory back at once, which a collection of garbage would do much later.
    slots.buffer.transfer(0)
  }
}

/** Remembers texts by 53 bits of each, where one that is taken for another does no harm: a million take 13 MB at most. */
export class HashSet {
  readonly #parts = Array.from({ length: PARTS }, () => new NumberSet())

  /** Adds a text; returns whether it is new. */
  add(text: string): boolean {
    const [high = 0, low = 0, last = 0] = hashOf(text)
    return (this.#parts[last % PARTS] as NumberSet).add(high * 2 ** 21 + (low >>> 11) + 1)
  }
}

/** A part of a set: whole numbers above 0. */
class NumberSet {
  /** 0 is an empty slot. */
  #numbers = new Float64Array(FIRST_SLOTS)
  #size = 0

  add(number: number): boolean {
    if (this.#size >= this.#numbers.length * FULLEST) this.#grow()
    const slot = this.#slotOf(number)
    if (this.#numbers[slot] === number) return false
    this.#numbers[slot] = number
    this.#size++
    return true
  }

  #slotOf(number: number): number {
    const { length } = this.#numbers
    // The lowest bits are in the last digits of the number.
    let slot = (number % 2 ** 31) % length
    while (this.#numbers[slot] !== 0 && this.#numbers[slot] !== number) slot = slot + 1 === length ? 0 : slot + 1
    return slot
  }

  #grow(): void {
    const numbers = this.#numbers
    this.#numbers = new Float64Array(Math.ceil(numbers.length * GROWTH))
    for (const number of numbers) if (number !== 0) this.#numbers[this.#slotOf(number)] = number
    numbers.buffer.transfer(0)
  }
}

const scratch = new Uint32Array(HASH_WORDS)

/** 96 bits of a text, in hexadecimal. They tell texts apart that nobody chose to look alike; they are no secret and no proof. */
export function hashText(text: string): string {
  return hexOf(hashOf(text))
}

function hexOf(hash: Uint32Array): string {
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** Each step can be undone, so that texts that differ in one character never meet in the middle. Valid until the next call. */
function hashOf(text: string): Uint32Array {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  scratch[0] = a ^ b ^ c ^ d
  scratch[1] = b ^ a
  scratch[2] = c ^ d
  return scratch
}
