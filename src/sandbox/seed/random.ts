/** A function that returns pseudo-random numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/** Creates a pseudo-random number generator (mulberry32). The same seed always produces the same numbers. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function mixSeeds(a: number, b: number): number {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  mixed ^= mixed >>> 16
  return Math.imul(mixed, 0x27d4eb2f) | 0
}

/** Returns the number at an index in a seeded sequence, without computing the numbers before it. */
export function randomAtIndex(seed: number, index: number): number {
  return randomFrom(mixSeeds(seed, index))()
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const picked = list[Math.floor(random() * list.length)]
  if (picked === undefined) throw new Error('cannot pick from an empty list')
  return picked
}

/** Returns a random whole number from `least` to `most`, inclusive. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** Returns true with the given probability, from 0 to 1. */
export function drawBoolean(random: Random, likelihood: number): boolean {
  return random() < likelihood
}

/** Returns an array of nulls. Adding nulls to a list of choices makes `null` more likely to be chosen. */
export function nulls(times: number): null[] {
  return Array.from({ length: times }, () => null)
}

const HEX = '0123456789abcdef'

export function hex(random: Random, digits: number): string {
  let text = ''
  while (text.length < digits) text += HEX[Math.floor(random() * 16)]
  return text
}
