import { createHash } from 'node:crypto'

/** An ID that occurs on several lines. */
export type Duplicate = { readonly id: string; readonly lines: readonly number[] }

/**
 * Finds repeated IDs, using 8 bytes of memory per line. The first pass over the input collects a hash of each ID. If
 * two hashes are equal, a second pass compares the IDs themselves.
 */
export class DuplicateFinder {
  #marks = new Float64Array(1024)
  #count = 0

  add(id: string): void {
    if (this.#count === this.#marks.length) {
      const larger = new Float64Array(this.#marks.length * 2)
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[this.#count++] = hashId(id)
  }

  /** Returns the repeated IDs. `again` yields all IDs a second time and is called only if two hashes are equal. */
  async findDuplicates(
    again: () => AsyncIterable<{ readonly id: string; readonly line: number }>,
  ): Promise<readonly Duplicate[]> {
    const marks = this.#marks.subarray(0, this.#count).sort()
    const suspects = new Set(marks.filter((mark, at) => mark === marks[at - 1]))
    if (suspects.size === 0) return []
    const lines = new Map<string, number[]>()
    for await (const { id, line } of again()) {
      if (!suspects.has(hashId(id))) continue
      const found = lines.get(id)
      if (found) found.push(line)
      else lines.set(id, [line])
    }
    return [...lines].filter(([, found]) => found.length > 1).map(([id, found]) => ({ id, lines: found }))
  }
}

/** Returns a 48-bit hash, which makes collisions rare. */
function hashId(id: string): number {
  return createHash('sha256').update(id).digest().readUIntBE(0, 6)
}
