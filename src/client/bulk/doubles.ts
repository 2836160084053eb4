import { createHash } from 'node:crypto'

/** The lines in which one ID stands. */
export interface Double {
  readonly id: string
  readonly lines: readonly number[]
}

/** Finds IDs that stand in more than one line, in 8 bytes a line: first what may be double, then, in a second reading, what is. */
export class Doubles {
  #marks = new Float64Array(1024)
  #count = 0

  see(id: string): void {
    if (this.#count === this.#marks.length) {
      const larger = new Float64Array(this.#marks.length * 2)
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[this.#count++] = markOf(id)
  }

  /** The doubles, once all were seen. `again`: all IDs once more; it is read only when there may be any. */
  async found(again: () => AsyncIterable<{ readonly id: string; readonly line: number }>): Promise<readonly Double[]> {
    const marks = this.#marks.subarray(0, this.#count).sort()
    const suspects = new Set(marks.filter((mark, at) => mark === marks[at - 1]))
    if (suspects.size === 0) return []
    const lines = new Map<string, number[]>()
    for await (const { id, line } of again()) {
      if (!suspects.has(markOf(id))) continue
      const stood = lines.get(id)
      if (stood) stood.push(line)
      else lines.set(id, [line])
    }
    return [...lines].filter(([, stood]) => stood.length > 1).map(([id, stood]) => ({ id, lines: stood }))
  }
}

/** A number that two IDs hardly ever share. */
function markOf(id: string): number {
  return createHash('sha256').update(id).digest().readUIntBE(0, 6)
}
