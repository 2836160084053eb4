import { hash } from 'node:crypto'
import { isJsonObject, type JsonValue, numberText, parseExact, withoutExponent } from '../../base/json/exact.ts'
import { NumberTable } from '../files/hash-table.ts'
import type { SyncRecord } from '../record.ts'

/** The bytes of a hash that fit a number together with the marks. */
const DIGEST_BYTES = 6

/** How a record of the service compares with the copy. */
export type Standing = 'same' | 'stale' | 'missing'

/** Marks, in the two bits below a digest. */
const EXPECTED = 1
const MET = 2
const MARKS = 4

/** The content of a copy as hashes: ID, content, two marks. A million records take at most 25 MB. */
export class CopyIndex {
  readonly #table = new NumberTable()

  /** Adds a record of the copy. `isExpected`: it is extra unless the service shows it. */
  take(record: SyncRecord, isExpected: boolean): void {
    this.#table.set(keyOf(record), contentDigest(record.text) * MARKS + (isExpected ? EXPECTED : 0))
  }

  /** Each record is compared once: repeats are the same. */
  judge(record: SyncRecord): Standing {
    const key = keyOf(record)
    const known = this.#table.get(key)
    if (known !== undefined && has(known, MET)) return 'same'
    const digest = contentDigest(record.text)
    this.#table.set(key, digest * MARKS + MET)
    if (known === undefined) return 'missing'
    return Math.floor(known / MARKS) === digest ? 'same' : 'stale'
  }

  meet(record: SyncRecord): void {
    const key = keyOf(record)
    const known = this.#table.get(key)
    if (known !== undefined && !has(known, MET)) this.#table.set(key, known + MET)
  }

  isUnmet(record: SyncRecord): boolean {
    const known = this.#table.get(keyOf(record))
    return known !== undefined && has(known, EXPECTED) && !has(known, MET)
  }
}

function has(value: number, mark: number): boolean {
  return Math.floor((value % MARKS) / mark) % 2 === 1
}

function keyOf({ id, version }: SyncRecord): string {
  return id ?? version
}

/** A 48-bit hash that ignores spaces, order, how numbers are written, and what PostgreSQL cannot store. */
function contentDigest(text: string): number {
  return hash('sha1', canonical(parseExact(text)), 'buffer').readUIntBE(0, DIGEST_BYTES)
}

function canonical(value: JsonValue | undefined): string {
  if (typeof value === 'string') return stringText(value)
  const number = numberText(value)
  if (number !== null) return plainNumber(number)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isJsonObject(value)) return String(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${stringText(name)}:${canonical(value[name])}`)
  return `{${members.join()}}`
}

function stringText(text: string): string {
  return JSON.stringify(text.toWellFormed().replaceAll('\0', '\ufffd'))
}

/** `25.00` and `2.5e1` are `25`, and `-0` is `0`. */
function plainNumber(text: string): string {
  const plain = withoutExponent(text)
  const short = plain.includes('.') && !/e/i.test(plain) ? plain.replace(/\.?0+$/, '') : plain
  return short === '-0' ? '0' : short
}
