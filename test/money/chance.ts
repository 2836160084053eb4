/** Creates a random number generator that always produces the same numbers for the same seed. */
export interface Chance {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from `from` to `to`, both inclusive. */
  integer(from: number, to: number): number
  pick<T>(choices: readonly T[]): T
  /** Returns true with the given probability, such as 0.2 for one time in five. */
  happens(share: number): boolean
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    integer: whole,
    pick: (choices) => choices[whole(0, choices.length - 1)] as (typeof choices)[number],
    happens: (share) => next() < share,
  }
}

/** Runs `work` on all items, with at most `atOnce` calls at the same time. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
