import { findPlainEnd, findScalarEnd } from './scan.ts'

/**
 * The maximum number of member names to track, including those of enclosing objects. If there are more, the text counts
 * as not compact.
 */
const MOST_NAMES = 64
const starts = new Int32Array(MOST_NAMES)
const ends = new Int32Array(MOST_NAMES)

/**
 * Returns whether `JSON.stringify` would reproduce the valid JSON at `from` unchanged. The text must not contain
 * spaces, escapes, repeated names, or names that begin with a digit, which JavaScript might reorder. Returns false if
 * unsure.
 */
export function isCompact(bytes: Uint8Array, from: number): boolean {
  return findCompactEnd(bytes, from, 0) > 0
}

/**
 * Returns the index after the value, or -1 if it is not compact. Slots below `names` hold the member names of enclosing
 * objects.
 */
function findCompactEnd(bytes: Uint8Array, from: number, names: number): number {
  const first = bytes[from] as number
  if (first === 0x22 /* " */) return findPlainEnd(bytes, from + 1) + 1 || -1
  if (first !== 0x7b /* { */ && first !== 0x5b /* [ */) return findScalarEnd(bytes, from)
  let at = from + 1
  if (bytes[at] === first + 2) return at + 1
  for (let count = names; ; at++) {
    if (first === 0x7b) {
      const end = bytes[at] === 0x22 ? findPlainEnd(bytes, at + 1) : -1
      if (end < 0 || bytes[end + 1] !== 0x3a /* : */ || !addName(bytes, at + 1, end, names, count++)) return -1
      at = end + 2
    }
    at = findCompactEnd(bytes, at, count)
    if (at < 0 || bytes[at] === first + 2) return at < 0 ? -1 : at + 1
    if (bytes[at] !== 0x2c /* , */) return -1
  }
}

/**
 * Adds a name to the object whose names start at slot `first`. Returns false if the name is repeated or begins with a
 * digit, or if no slot is free.
 */
function addName(bytes: Uint8Array, from: number, to: number, first: number, count: number): boolean {
  const byte = bytes[from] as number
  if (count === MOST_NAMES || (byte >= 0x30 && byte <= 0x39)) return false
  for (let known = first; known < count; known++) {
    const start = starts[known] as number
    if ((ends[known] as number) - start !== to - from) continue
    let at = 0
    while (from + at < to && bytes[start + at] === bytes[from + at]) at++
    if (from + at === to) return false
  }
  starts[count] = from
  ends[count] = to
  return true
}
