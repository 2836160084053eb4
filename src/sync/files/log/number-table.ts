const FIRST_SLOTS = 256
/** Beyond this share of used slots, finding takes longer. */
const FULLEST = 0.7
/** Of 32 bits each: what tells a text apart, and its number. */
const [HASH_WORDS, SLOT_WORDS] = [3, 5]
/** A table has so many parts, which grow one by one: at no time is all of it there twice. */
const PARTS = 16
/** Marks a slot that is used, above the number's own bits. */
const USED = 0x80000000
const WORD = 2 ** 32

/** Remembers texts by 96 bits of each, with a whole number for each, below 2^53: a million take 57 MB at most. */
export class NumberTable {
  readonly #parts = Array.from({ length: PARTS }, () => new Part())

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  get(text: string): number | undefined {
    const words = hashOf(text)
    return this.#partOf(words).get(words)
  }

  set(text: string, value: number): void {
    const words = hashOf(text)
    this.#partOf(words).set(words, value)
  }

  #partOf(hash: Hash): Part {
    return this.#parts[hash[2] % PARTS] as Part
  }
}

type Hash = readonly [number, number, number]

class Part {
  size = 0
  #slots = new Uint32Array(FIRST_SLOTS * SLOT_WORDS)

  get(hash: Hash): number | undefined {
    const at = this.#find(hash)
    const high = this.#slots[at + HASH_WORDS + 1] as number
    return high === 0 ? undefined : (high - USED) * WORD + (this.#slots[at + HASH_WORDS] as number)
  }

  set(hash: Hash, value: number): void {
    let at = this.#find(hash)
    if (this.#slots[at + HASH_WORDS + 1] === 0) {
      this.size++
      if (this.size * SLOT_WORDS > this.#slots.length * FULLEST) {
        this.#grow()
        at = this.#find(hash)
      }
    }
    this.#slots.set([...hash, value % WORD, Math.floor(value / WORD) + USED], at)
  }

  /** Where a text is, or would be put. */
  #find([first, second, third]: Hash): number {
    const slots = this.#slots
    const mask = slots.length / SLOT_WORDS - 1
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT_WORDS
      if (slots[at + HASH_WORDS + 1] === 0) return at
      if (slots[at] === first && slots[at + 1] === second && slots[at + 2] === third) return at
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + HASH_WORDS + 1] === 0) continue
      const [first = 0, second = 0, third = 0] = old.subarray(at, at + HASH_WORDS)
      this.#slots.set(old.subarray(at, at + SLOT_WORDS), this.#find([first, second, third]))
    }
  }
}

function hashOf(text: string): Hash {
  // A sync that finds nothing comes by here, and needs no hash.
  const bytes = process.getBuiltinModule('node:crypto').hash('sha1', text, 'buffer')
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)]
}
