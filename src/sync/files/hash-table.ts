const EMPTY = Number.NaN
const FIRST_SLOTS = 1024
/** Beyond this share of used slots, finding takes longer. */
const FULLEST = 0.7
const WORDS = 4

/**
 * Remembers texts by 128 bits of each, with a number for each: a million take 50 MB, where a Map would take four times as much.
 * That two texts share all bits does not happen.
 */
export class HashTable {
  #hashes = new Uint32Array(FIRST_SLOTS * WORDS)
  #values = new Float64Array(FIRST_SLOTS).fill(EMPTY)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of a text; undefined when the text is not there. */
  get(text: string): number | undefined {
    const value = this.#values[this.#slotOf(hashOf(text))] as number
    return Number.isNaN(value) ? undefined : value
  }

  /** Sets the number of a text; returns whether the text is new. */
  set(text: string, value: number): boolean {
    return this.#put(hashOf(text), value)
  }

  /** Puts in what {@link entries} gave. */
  setHash(hex: string, value: number): void {
    this.#put(
      Uint32Array.from({ length: WORDS }, (_, word) => Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16)),
      value,
    )
  }

  /** Every hash, in hexadecimal, whose number is at least `least`, with its number. */
  *entries(least: number): Generator<readonly [hex: string, value: number]> {
    for (let slot = 0; slot < this.#values.length; slot++) {
      const value = this.#values[slot] as number
      if (value >= least) yield [this.#hexAt(slot), value]
    }
  }

  /** Replaces every number `from` by `to`. */
  replace(from: number, to: number): void {
    for (let slot = 0; slot < this.#values.length; slot++) if (this.#values[slot] === from) this.#values[slot] = to
  }

  #put(hash: Uint32Array, value: number): boolean {
    let slot = this.#slotOf(hash)
    const isNew = Number.isNaN(this.#values[slot] as number)
    if (isNew) {
      if (this.#size >= this.#values.length * FULLEST) {
        this.#grow()
        slot = this.#slotOf(hash)
      }
      this.#hashes.set(hash, slot * WORDS)
      this.#size++
    }
    this.#values[slot] = value
    return isNew
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

  #hexAt(slot: number): string {
    return hexOf(this.#hashes.subarray(slot * WORDS, slot * WORDS + WORDS))
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
