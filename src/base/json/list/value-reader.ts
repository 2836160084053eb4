import { isUtf8 } from 'node:buffer'
import { attempt } from '../../attempt.ts'
import { NEEDS_MORE, TOO_DEEP, ValueBoundary } from '../boundary.ts'
import { hasClosingByte } from '../bytes.ts'
import type { RecordStreamProblem } from '../record-stream-error.ts'
import { ValueScanner } from '../scan.ts'
import { WireRecord } from './wire-record.ts'

const FIRST_CARRY_BYTES = 4096
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Reads JSON values from chunks. Validates a value in place if a single chunk contains it, and copies it otherwise. */
export class ValueReader {
  /** The value that the last call to `read` completed, or `null` if it completed none. */
  value: WireRecord | null = null
  isOpen = false
  readonly #boundary: ValueBoundary
  readonly #scanner: ValueScanner
  readonly #fail: (kind: RecordStreamProblem) => Error
  #carry: Buffer = Buffer.alloc(0)
  #carried = 0
  #chunk: Buffer | null = null
  #isOneLine = false
  #isUtf8 = false

  constructor(maxDepth: number, fail: (kind: RecordStreamProblem) => Error) {
    this.#boundary = new ValueBoundary(maxDepth)
    this.#scanner = new ValueScanner(maxDepth)
    this.#fail = fail
  }

  /**
   * Starts or continues reading a value of at most `maxBytes`. Returns the index after the bytes read. Throws the error
   * that `fail` returns.
   */
  read(bytes: Buffer, at: number, maxBytes: number): number {
    this.value = null
    if (bytes !== this.#chunk) this.#look(bytes)
    if (!this.isOpen) {
      const end = hasClosingByte(bytes[at]) ? this.#scanner.findEnd(bytes, at) : -1
      if (end > 0) {
        if (end - at > maxBytes) throw this.#fail('too-large')
        this.value = this.#taken(bytes, at, end)
        return end
      }
      this.isOpen = true
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
    this.isOpen = false
    if (this.#carried === 0) this.value = this.#check(bytes, at, end)
    else {
      this.#keep(bytes, at, end)
      const whole = Buffer.from(this.#carry.subarray(0, this.#carried))
      this.#look(whole)
      this.value = this.#check(whole, 0, whole.length)
    }
    return end
  }

  /** Checks a chunk for invalid UTF-8 and line breaks, so that each value in it does not have to be checked. */
  #look(chunk: Buffer): void {
    this.#chunk = chunk
    this.#isUtf8 = isUtf8(chunk)
    this.#isOneLine = !chunk.includes(LINE_FEED) && !chunk.includes(CARRIAGE_RETURN)
  }

  #check(bytes: Buffer, from: number, to: number): WireRecord {
    const value = bytes.subarray(from, to)
    if (this.#scanner.findEnd(value, 0) === value.length) return this.#taken(bytes, from, to)
    if (!this.#isUtf8 && !isUtf8(value)) throw this.#fail('bad-utf8')
    const text = value.toString('utf8')
    if (!isJson(text)) throw this.#fail('malformed')
    return new WireRecord(text)
  }

  #taken(bytes: Buffer, from: number, to: number): WireRecord {
    // A chunk that ends in the middle of a character fails the UTF-8 check, so check the value itself.
    if (!this.#isUtf8 && !isUtf8(bytes.subarray(from, to))) throw this.#fail('bad-utf8')
    return WireRecord.at({ bytes, from, to, isPlain: this.#scanner.isPlain, isOneLine: this.#isOneLine })
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const needed = this.#carried + to - from
    if (needed > this.#carry.length) {
      // Doubling the buffer avoids copying the whole value again for each tiny chunk.
      const larger = Buffer.allocUnsafe(Math.max(FIRST_CARRY_BYTES, needed, this.#carry.length * 2))
      this.#carry.copy(larger, 0, 0, this.#carried)
      this.#carry = larger
    }
    bytes.copy(this.#carry, this.#carried, from, to)
    this.#carried = needed
  }
}

export function isJson(text: string): boolean {
  return attempt(() => JSON.parse(text) !== undefined, false)
}
