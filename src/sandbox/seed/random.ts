/** Numbers that look random and are the same for the same seed: at least 0, below 1. */
export type Random = () => number

/** Makes a sequence of such numbers (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Mixes two numbers into a seed. */
export function mixSeeds(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  mixed ^= mixed >>> 16
  return Math.imul(mixed, 0x27d4eb2f) | 0
}

/** The random number at a place in a sequence, without computing those before it. */
export function randomAt(seed: number, place: number): number {
  return randomFrom(mixSeeds(seed, place))()
}

/** The words of a text, for {@link pick}. */
export function wordsIn(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text.split(/\s+/)
  return [first, ...others]
}

/** Picks one of a list. */
export function pick<T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}

/** A whole number from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** True with the given chance, 0 to 1. */
export function chance(random: Random, likelihood: number): boolean {
  return random() < likelihood
}

const HEX = '0123456789abcdef'

/** Random hexadecimal digits. */
export function hex(random: Random, digits: number): string {
  let text = ''
  while (text.length < digits) text += HEX[Math.floor(random() * 16)]
  return text
}
