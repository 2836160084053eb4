const EMPTY = Number.NaN
const FIRST_SLOTS = 256
/** Beyond this share of used slots, finding takes longer. */
const FULLEST = 0.7
const WORDS = 4

/** A table has so many parts, which grow one by one: at no time is all of it there twice. */
const PARTS = 16

/**
 * Remembers texts by 128 bits of each, with a number for each: a million take 50 MB, where a Map would take four times as much.
 * That two texts share all bits does not happen.
 */
export class HashTable {
  readonly #parts = Array.from({ length: PARTS }, () => new Part())

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** The number of a text; undefined when the text is not there. */
  get(text: string): number | undefined {
    const hash = hashOf(text)
    return this.#partOf(hash).get(hash)
  }

  /** Sets the number of a text; returns whether the text is new. */
  set(text: string, value: number): boolean {
    const hash = hashOf(text)
    return this.#partOf(hash).put(hash, value)
  }

  /** Puts in what {@link entries} gave. */
  setHash(hex: string, value: number): void {
    const words = Array.from({ length: WORDS }, (_, word) => Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16))
    const hash = Uint32Array.from(words)
    this.#partOf(hash).put(hash, value)
  }

  /** Every hash, in hexadecimal, whose number is at least `least`, with its number. */
  *entries(least: number): Generator<readonly [hex: string, value: number]> {
    for (const part of this.#parts) yield* part.entries(least)
  }

  /** Replaces every number `from` by `to`. */
  replace(from: number, to: number): void {
    for (const part of this.#parts) part.replace(from, to)
  }

  #partOf(hash: Uint32Array): Part {
    return this.#parts[(hash[3] as number) % PARTS] as Part
  }
}

/** A part of a table, by open addressing. */
class Part {
  #hashes = new Uint32Array(FIRST_SLOTS * WORDS)
  #values = new Float64Array(FIRST_SLOTS).fill(EMPTY)
  size = 0

  get(hash: Uint32Array): number | undefined {
    const value = this.#values[this.#slotOf(hash)] as number
    return Number.isNaN(value) ? undefined : value
  }

  put(hash: Uint32Array, value: number): boolean {
    let slot = this.#slotOf(hash)
    const isNew = Number.isNaN(this.#values[slot] as number)
    if (isNew) {
      if (this.size >= this.#values.length * FULLEST) {
        this.#grow()
        slot = this.#slotOf(hash)
      }
      this.#hashes.set(hash, slot * WORDS)
      this.size++
    }
    this.#values[slot] = value
    return isNew
  }

  *entries(least: number): Generator<readonly [hex: string, value: number]> {
    for (let slot = 0; slot < this.#values.length; slot++) {
      const value = this.#values[slot] as number
      if (value >= least) yield [hexOf(this.#hashes.subarray(slot * WORDS, slot * WORDS + WORDS)), value]
    }
  }

  replace(from: number, to: number): void {
    for (let slot = 0; slot < this.#values.length; slot++) if (this.#values[slot] === from) this.#values[slot] = to
  }

  /** Where a hash is, or would be put. */
  #slotOf(hash: Uint32Array): number {
    const mask = this.#values.length - 1
    let slot = (hash[0] as number) & mask
    while (!Number.isNaN(this.#values[slot] as number) && !this.#isAt(slot, hash)) slot = (slot + 1) & mask
    return slot
  }

  #isAt(slot: number, hash: Uint32Array): boolean {
    const at = slot * WORDS
    const all = this.#hashes
    return all[at] === hash[0] && all[at + 1] === hash[1] && all[at + 2] === hash[2] && all[at + 3] === hash[3]
  }

  #grow(): void {
    const [hashes, values] = [this.#hashes, this.#values]
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#values = new Float64Array(values.length * 2).fill(EMPTY)
    for (let slot = 0; slot < values.length; slot++) {
      const value = values[slot] as number
      if (Number.isNaN(value)) continue
      const hash = hashes.subarray(slot * WORDS, slot * WORDS + WORDS)
      const to = this.#slotOf(hash)
      this.#hashes.set(hash, to * WORDS)
      this.#values[to] = value
    }
  }
}

/** Remembers texts by 53 bits of each, where one that is taken for another does no harm: a million take 16 MB. */
export class HashSet {
  /** 0 is an empty slot. */
  #hashes = new Float64Array(FIRST_SLOTS)
  #size = 0

  /** Adds a text; returns whether it is new. */
  add(text: string): boolean {
    const [high = 0, low = 0] = hashOf(text)
    const hash = high * 2 ** 21 + (low >>> 11) + 1
    if (this.#size >= this.#hashes.length * FULLEST) this.#grow()
    const slot = this.#slotOf(hash)
    if (this.#hashes[slot] === hash) return false
    this.#hashes[slot] = hash
    this.#size++
    return true
  }

  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    // The lowest bits are in the last digits of the number.
    let slot = (hash % 2 ** 31) & mask
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const hashes = this.#hashes
    this.#hashes = new Float64Array(hashes.length * 2)
    for (const hash of hashes) if (hash !== 0) this.#hashes[this.#slotOf(hash)] = hash
  }
}

const scratch = new Uint32Array(WORDS)

/** 128 bits of a text, in hexadecimal. They tell texts apart that nobody chose to look alike; they are no secret and no proof. */
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
  scratch[2] = c ^ a
  scratch[3] = d ^ a
  return scratch
}
