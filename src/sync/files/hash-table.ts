const FIRST_SLOTS = 256
const MAX_LOAD = 0.8
const GROWTH = 1.25
const HASH_WORDS = 2
/**
 * The number of parts in a table. Parts grow one at a time, because two copies of a whole table would need too much
 * memory.
 */
const PARTS = 16

/**
 * A hash table with open addressing, which uses far less memory than a Map. Each slot contains a hash followed by a
 * value.
 */
class Table {
  protected readonly parts: readonly Part[]

  constructor(valueWords: number) {
    this.parts = Array.from({ length: PARTS }, () => new Part(HASH_WORDS + valueWords))
  }

  protected partOf(slot: Uint32Array): Part {
    return this.parts[((slot[1] as number) >>> 1) % PARTS] as Part
  }
}

class Part {
  readonly slotWords: number
  words: Uint32Array<ArrayBuffer>
  size = 0

  constructor(slotWords: number) {
    this.slotWords = slotWords
    this.words = new Uint32Array(FIRST_SLOTS * slotWords)
  }

  put(slot: Uint32Array): boolean {
    const { slotWords } = this
    let at = this.find(slot)
    const isNew = this.words[at + slotWords - 1] === 0
    if (isNew && this.size++ >= (this.words.length / slotWords) * MAX_LOAD) {
      this.#grow()
      at = this.find(slot)
    }
    for (let word = 0; word < slotWords; word++) this.words[at + word] = slot[word] as number
    return isNew
  }

  /**
   * Returns the index of a hash's slot or, if the hash is not stored, of the empty slot where it belongs. The hash
   * starts at index `from` of the array `hash`. The last word of an empty slot is 0.
   */
  find(hash: Uint32Array, from = 0): number {
    const { words, slotWords } = this
    const count = words.length / slotWords
    let slot = (hash[from] as number) % count
    for (;;) {
      const at = slot * slotWords
      const isIt = words[at] === hash[from] && words[at + 1] === hash[from + 1]
      if (isIt || words[at + slotWords - 1] === 0) return at
      slot = slot + 1 === count ? 0 : slot + 1
    }
  }

  #grow(): void {
    const { words, slotWords } = this
    this.words = new Uint32Array(Math.ceil((words.length / slotWords) * GROWTH) * slotWords)
    for (let at = 0; at < words.length; at += slotWords) {
      if (words[at + slotWords - 1] === 0) continue
      const to = this.find(words, at)
      for (let word = 0; word < slotWords; word++) this.words[to + word] = words[at + word] as number
    }
    // Free the memory now instead of at the next garbage collection.
    words.buffer.transfer(0)
  }
}

/** The stored values for negative and positive infinity. */
const [NEVER, LATEST] = [1, 0xffffffff]
const FIRST_MS = Date.UTC(2000, 0, 1)

/** Converts a time to a nonzero 32-bit number of seconds, rounded up. */
function toSeconds(ms: number): number {
  if (ms === Number.NEGATIVE_INFINITY) return NEVER
  return ms === Number.POSITIVE_INFINITY ? LATEST : Math.min(Math.max(Math.ceil((ms - FIRST_MS) / 1000), 2), LATEST - 1)
}

function toMs(seconds: number): number {
  if (seconds === NEVER) return Number.NEGATIVE_INFINITY
  return seconds === LATEST ? Number.POSITIVE_INFINITY : FIRST_MS + seconds * 1000
}

/**
 * A map from strings to times. Times are in epoch milliseconds, rounded up to whole seconds, and can be infinite. A
 * million entries take 19 MB.
 */
export class HashTable extends Table {
  constructor() {
    super(1)
  }

  has(text: string): boolean {
    const part = this.partOf(hashOf(text))
    return part.words[part.find(scratch) + HASH_WORDS] !== 0
  }

  /** Sets a string's time. Returns whether the string is new. */
  set(text: string, ms: number): boolean {
    hashOf(text)[HASH_WORDS] = toSeconds(ms)
    return this.partOf(scratch).put(scratch)
  }

  /** Sets the time for a hash that {@link entries} yielded. */
  setHash(hex: string, ms: number): void {
    const word = (at: number) => Number.parseInt(hex.slice(at, at + 8), 16)
    scratch.set([word(8), word(16), toSeconds(ms)])
    this.partOf(scratch).put(scratch)
  }

  /** Yields, in hexadecimal, every hash whose time is `leastMs` or later. */
  *entries(leastMs: number): Generator<readonly [hex: string, ms: number]> {
    for (const { words, slotWords } of this.parts)
      for (let at = 0; at < words.length; at += slotWords) {
        const seconds = words[at + HASH_WORDS] as number
        if (seconds !== 0 && toMs(seconds) >= leastMs) yield [hexOf(words.subarray(at)), toMs(seconds)]
      }
  }

  /** Replaces positive infinity with `ms` in all entries. */
  replaceInfinite(ms: number): void {
    for (const { words, slotWords } of this.parts)
      for (let at = HASH_WORDS; at < words.length; at += slotWords) if (words[at] === LATEST) words[at] = toSeconds(ms)
  }
}

/** A set of strings that stores a 63-bit hash of each. A million strings take at most 13 MB. */
export class HashSet extends Table {
  constructor() {
    super(0)
  }

  add(text: string): boolean {
    const part = this.partOf(hashOf(text))
    scratch[1] = (scratch[1] as number) | 1
    return part.put(scratch)
  }
}

const USED = 0x80000000
const WORD = 2 ** 32

/**
 * A map from strings to whole numbers below 2^53. It stores a 64-bit hash of each string. A million entries take at
 * most 25 MB.
 */
export class NumberTable extends Table {
  constructor() {
    super(2)
  }

  get(text: string): number | undefined {
    const part = this.partOf(hashOf(text))
    const at = part.find(scratch) + HASH_WORDS
    const high = part.words[at + 1] as number
    return high === 0 ? undefined : (high - USED) * WORD + (part.words[at] as number)
  }

  set(text: string, value: number): void {
    hashOf(text).set([value % WORD, Math.floor(value / WORD) + USED], HASH_WORDS)
    this.partOf(scratch).put(scratch)
  }
}

const scratch = new Uint32Array(HASH_WORDS + 2)

/** Returns a string's hash in hexadecimal. The hash does not protect against strings chosen to collide. */
export function hashText(text: string): string {
  return hexOf(hashOf(text))
}

/** Formats a hash for state files, as three words. The first word is derived from the other two. */
function hexOf([first = 0, second = 0]: Uint32Array): string {
  return [(first ^ second) >>> 0, first, second].map((word) => word.toString(16).padStart(8, '0')).join('')
}

/**
 * Hashes a string. The result is valid until the next call. Each step is invertible, so strings that differ in one
 * character never collide.
 */
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
  scratch[0] = b ^ a
  scratch[1] = c ^ d
  return scratch
}
