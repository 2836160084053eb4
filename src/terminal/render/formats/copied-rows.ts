import { isCompact } from '../../../base/json/compact.ts'
import { MemberFinder } from '../../../base/json/list/member-finder.ts'
import { type Place, WireRecord } from '../../../base/json/list/wire-record.ts'
import type { DelimitedLines } from './delimited.ts'

const INITIAL_BYTES = 128 * 1024
/** How a byte affects its field: the field needs CSV quotes or must be formatted from the parsed value. */
const [QUOTED, FORMATTED] = [1, 2]

/** Formats rows for a file by copying bytes from the records. Parses only those fields whose text must change. */
export class CopiedRows {
  readonly #lines: DelimitedLines
  readonly #isCsv: boolean
  readonly #finder: MemberFinder
  /** How each byte affects its field, at the start of a string (`#first`) or anywhere in the field (`#any`). */
  readonly #first: Uint8Array
  readonly #any: Uint8Array
  #out = Buffer.allocUnsafe(INITIAL_BYTES)
  #at = 0

  constructor(format: 'csv' | 'tsv', paths: readonly string[], lines: DelimitedLines) {
    this.#lines = lines
    this.#isCsv = format === 'csv'
    this.#finder = new MemberFinder(paths)
    // The characters that start a formula, and the byte EF, which starts their full-width forms.
    this.#first = meanings(this.#isCsv ? ' ' : '', [...Buffer.from('=+-@'), 0xef])
    // Backslashes, DEL, and the byte C2, which starts some control characters.
    this.#any = meanings(this.#isCsv ? ',;"' : '', [...Buffer.from('\\'), 0x7f, 0xc2])
  }

  /** Returns the records as rows, preceded by the text `before`. */
  of(before: string, records: readonly WireRecord[]): Buffer {
    this.#at = 0
    this.#put(before)
    for (const record of records) {
      const { place } = record
      if (place !== null && this.#finder.find(place.bytes, place.from)) this.#copyRow(place)
      else this.#put(this.#lines.rowOf(record.value))
    }
    return Buffer.from(this.#out.subarray(0, this.#at))
  }

  #copyRow(place: Place): void {
    const { from, to } = this.#finder
    const separator = this.#isCsv ? 0x2c : 0x09
    const start = this.#at
    for (let index = 0; index < to.length; index++) {
      const end = to[index] as number
      const begin = from[index] as number
      this.#makeRoom(end === 0 ? 1 : 2 * (end - begin) + 3)
      if (index > 0) this.#out[this.#at++] = separator
      if (end > 0 && !this.#copyField(place.bytes, begin, end))
        this.#put(this.#lines.fieldOf(WireRecord.at({ ...place, from: begin, to: end }).value))
    }
    this.#put(this.#at === start && this.#isCsv ? '""\n' : '\n')
  }

  /** Copies a field. Returns `false` without adding anything if the field must be formatted instead. */
  #copyField(bytes: Buffer, from: number, to: number): boolean {
    const kind = bytes[from]
    if (kind === 0x6e /* null */) return true
    if (kind === 0x22 /* " */) {
      const first = this.#first[bytes[from + 1] as number] as number
      return this.#copy(bytes, from + 1, to - 1, first === FORMATTED && isPhone(bytes, from + 1, to - 1) ? 0 : first)
    }
    const isNested = kind === 0x7b /* { */ || kind === 0x5b /* [ */
    return (!isNested || isCompact(bytes, from)) && this.#copy(bytes, from, to, 0)
  }

  #copy(bytes: Buffer, from: number, to: number, first: number): boolean {
    const out = this.#out
    const any = this.#any
    const doubled = this.#isCsv ? 0x22 : -1
    const start = this.#at
    let at = start
    let meaning = first
    for (let index = from; index < to; index++) {
      const byte = bytes[index] as number
      meaning |= any[byte] as number
      out[at++] = byte
      if (byte === doubled) out[at++] = byte
    }
    if (this.#isCsv && bytes[to - 1] === 0x20) meaning |= QUOTED
    if (meaning >= FORMATTED) return false
    if (meaning === QUOTED) {
      out.copyWithin(start + 1, start, at)
      out[start] = 0x22
      out[at + 1] = 0x22
      at += 2
    }
    this.#at = at
    return true
  }

  #put(text: string): void {
    this.#makeRoom(3 * text.length)
    this.#at += this.#out.write(text, this.#at)
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes))
    this.#out.copy(larger, 0, 0, this.#at)
    this.#out = larger
  }
}

/** Returns whether a string is a phone number with a country code. Such a number is not treated as a formula. */
function isPhone(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] !== 0x2b /* + */ || to - from < 7 || to - from > 32) return false
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at] as number
    if ((byte < 0x30 || byte > 0x39) && (byte !== 0x20 || at === from + 1)) return false
  }
  return true
}

function meanings(quoted: string, formatted: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(quoted)) table[byte] = QUOTED
  for (const byte of formatted) table[byte] = FORMATTED
  return table
}
