import { isUtf8 } from 'node:buffer'
import { NEEDS_MORE, TOO_DEEP, ValueBoundary } from './boundary.ts'
import { showsOwnEnd } from './bytes.ts'
import type { RecordStreamProblem } from './record-stream-error.ts'
import { ValueScanner } from './scan.ts'

const FIRST_CARRY_BYTES = 4096

/**
 * Reads one JSON value after another from chunks. A value within one chunk is checked in place; one that spans chunks is
 * copied. The result does not depend on where the chunks are cut.
 */
export class ValueReader {
  /** The text of the value once it is complete, else null. */
  text: string | null = null
  readonly #boundary: ValueBoundary
  readonly #scanner: ValueScanner
  readonly #fail: (kind: RecordStreamProblem) => Error
  #carry: Buffer = Buffer.alloc(0)
  #carried = 0
  #open = false

  constructor(maxDepth: number, fail: (kind: RecordStreamProblem) => Error) {
    this.#boundary = new ValueBoundary(maxDepth)
    this.#scanner = new ValueScanner(maxDepth)
    this.#fail = fail
  }

  /** True in the middle of a value: the next bytes belong to it. */
  get open(): boolean {
    return this.#open
  }

  /**
   * Reads a value of at most `maxBytes` from `at`, or continues the open one. Returns the index after what it read.
   * Fails: what `fail` makes of too-large, too-deep, bad-utf8 or malformed.
   */
  read(bytes: Buffer, at: number, maxBytes: number): number {
    this.text = null
    if (!this.#open) {
      const end = showsOwnEnd(bytes[at]) ? this.#scanner.findEnd(bytes, at) : -1
      if (end > 0) {
        if (end - at > maxBytes) throw this.#fail('too-large')
        this.text = this.#decode(bytes, at, end)
        return end
      }
      this.#open = true
      this.#carried = 0
      this.#boundary.reset()
    }
    const to = Math.min(bytes.length, at + maxBytes - this.#carried)
    if (to === at) throw this.#fail('too-large')
    const end = this.#boundary.scan(bytes, at, to)
    if (end === TOO_DEEP) throw this.#fail('too-deep')
    if (end === NEEDS_MORE) {
      this.#keep(bytes, at, to)
      return to
    }
    this.#open = false
    if (this.#carried === 0) this.text = this.#check(bytes, at, end)
    else {
      this.#keep(bytes, at, end)
      this.text = this.#check(this.#carry, 0, this.#carried)
    }
    return end
  }

  #check(bytes: Buffer, from: number, to: number): string {
    const text = this.#decode(bytes, from, to)
    const whole = this.#scanner.findEnd(bytes.subarray(from, to), 0) === to - from
    if (!whole && !isJson(text)) throw this.#fail('malformed')
    return text
  }

  #decode(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('utf8', from, to)
    if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(from, to))) throw this.#fail('bad-utf8')
    return text
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const needed = this.#carried + to - from
    if (needed > this.#carry.length) {
      // Doubles, so that a value that comes byte by byte is not copied at every byte.
      const roomier = Buffer.allocUnsafe(Math.max(FIRST_CARRY_BYTES, needed, this.#carry.length * 2))
      this.#carry.copy(roomier, 0, 0, this.#carried)
      this.#carry = roomier
    }
    bytes.copy(this.#carry, this.#carried, from, to)
    this.#carried = needed
  }
}

/** True when the text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
