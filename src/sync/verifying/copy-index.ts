import { hash } from 'node:crypto'
import { isJsonObject, type JsonValue, numberText, parseExact, withoutExponent } from '../../base/json/exact.ts'
import { NumberTable } from '../files/hash-table.ts'
import { jsonbText } from '../reading/jsonb-text.ts'
import type { SyncRecord } from '../record.ts'

/** How many hexadecimal digits of a hash form the table key, and how many more are stored with it. */
const [PLACE_DIGITS, OTHER_DIGITS] = [13, 11]

/**
 * The result of comparing one of the service's records with the copy. `unsure` means that the texts differ but the
 * contents may be equal.
 */
export type ComparedRecord = 'same' | 'stale' | 'missing' | 'unsure'

/** The flags of a version, stored in the bits below its hash digits. Older versions of a record have no flags. */
const DUE = 1
const EXPECTED = 2
const MET = 4
const UNSURE = 8
const MARKS = 16

/**
 * An index of the versions in a copy, as hashes with flags. One million records take at most 50 MB. Only records whose
 * hashes differ are parsed. At first, texts are hashed, which is much faster than hashing contents. A call to {@link
 * compareContents} switches to contents.
 */
export class CopyIndex {
  /** Maps each record's key to its newest version's key in `#versions`. */
  readonly #places = new NumberTable()
  /** Maps the first digits of each version's hash to the next digits and the flags. */
  readonly #versions = new NumberTable()
  #hash: (record: SyncRecord) => string
  comparesContents = false
  #unmet = 0

  /** `hash` hashes both the copy's records and the service's. */
  constructor(hash = textHash) {
    this.#hash = hash
  }

  /** The number of expected records that the service has not sent yet. */
  get unmet(): number {
    return this.#unmet
  }

  /**
   * Adds a record from the copy, or replaces it with a newer version. If `isExpected` is true and the service does not
   * send the record, it counts as extra.
   */
  addCopied(record: SyncRecord, isExpected: boolean, isDue: boolean): void {
    const key = keyOf(record)
    const before = this.#find(key)
    if (before !== undefined) this.#meet(before)
    if (isExpected) this.#unmet++
    this.#put(key, record, (isExpected ? EXPECTED : 0) + (isDue ? DUE : 0), before)
  }

  /**
   * Returns whether the copy has this version and is required to have it. If so, marks the version as found in the
   * service.
   */
  recognizes(record: SyncRecord): boolean {
    const found = this.#version(record)
    if (found === undefined || !has(found.value, DUE)) return false
    this.#meet(found)
    return true
  }

  /** Returns whether a record from the copy still has to be compared. False for all versions except the newest. */
  needs(record: SyncRecord): boolean {
    const { value } = this.#version(record) ?? { value: 0 }
    return has(value, UNSURE) || (has(value, EXPECTED) && !has(value, MET))
  }

  /**
   * Compares a record that must be in the copy and that {@link recognizes} did not accept. Returns `same` if the record
   * has already been compared.
   */
  compareDue(record: SyncRecord): ComparedRecord {
    const found = this.#find(keyOf(record))
    if (found === undefined) {
      this.#put(keyOf(record), record, DUE + MET)
      return 'missing'
    }
    if (has(found.value, MET)) return 'same'
    this.#meet(found, this.comparesContents ? 0 : UNSURE)
    return this.comparesContents ? 'stale' : 'unsure'
  }

  /** Marks the copy's version of a record as found in the service. */
  markMet(record: SyncRecord): void {
    const found = this.#find(keyOf(record))
    if (found !== undefined) this.#meet(found)
  }

  isUnmet(record: SyncRecord): boolean {
    const found = this.#find(keyOf(record))
    return found !== undefined && has(found.value, EXPECTED) && !has(found.value, MET)
  }

  /** Switches to comparing contents. After this, {@link addContent} must be called for every record in the copy. */
  compareContents(): void {
    this.#hash = contentHash
    this.comparesContents = true
  }

  addContent(record: SyncRecord): void {
    const found = this.#find(keyOf(record))
    if (found !== undefined && !has(found.value, MET)) this.#put(keyOf(record), record, found.value % MARKS, found)
  }

  #version(record: SyncRecord): Version | undefined {
    const { place, rest } = parts(this.#hash(record))
    const value = this.#versions.get(place)
    return value === undefined || Math.floor(value / MARKS) !== rest ? undefined : { place, value }
  }

  #find(key: string): Version | undefined {
    const number = this.#places.get(key)
    if (number === undefined) return undefined
    const place = number.toString(16).padStart(PLACE_DIGITS, '0')
    return { place, value: this.#versions.get(place) ?? 0 }
  }

  #meet({ place, value }: Version, more = 0): void {
    if (has(value, MET)) return
    if (has(value, EXPECTED)) this.#unmet--
    this.#versions.set(place, value + MET + more)
  }

  #put(key: string, record: SyncRecord, marks: number, before?: Version): void {
    if (before !== undefined) this.#versions.set(before.place, 0)
    const { place, rest } = parts(this.#hash(record))
    this.#places.set(key, Number.parseInt(place, 16))
    this.#versions.set(place, rest * MARKS + marks)
  }
}

interface Version {
  readonly place: string
  readonly value: number
}

function parts(hex: string): { readonly place: string; readonly rest: number } {
  const place = hex.slice(0, PLACE_DIGITS)
  return { place, rest: Number.parseInt(hex.slice(PLACE_DIGITS, PLACE_DIGITS + OTHER_DIGITS), 16) }
}

/** Returns whether two records have the same content, regardless of how it is written. */
export function hasSameContent(one: SyncRecord, other: SyncRecord): boolean {
  return one.text === other.text || contentHash(one) === contentHash(other)
}

function has(value: number, mark: number): boolean {
  return Math.floor((value % MARKS) / mark) % 2 === 1
}

export function keyOf({ id, version }: SyncRecord): string {
  return id ?? version
}

function textHash(record: SyncRecord): string {
  return hash('sha1', record.bytes ?? record.text)
}

/** Returns a hash that ignores spaces, member order, number formats, and characters that PostgreSQL cannot store. */
function contentHash(record: SyncRecord): string {
  return hash('sha1', jsonbText(record.bytes ?? Buffer.from(record.text), true) ?? canonicalText(record.text))
}

function canonicalText(text: string): Buffer | string {
  const written = canonical(parseExact(text))
  return jsonbText(Buffer.from(written), true) ?? written
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

/** Normalizes a number: `25.00` and `2.5e1` become `25`, and `-0` becomes `0`. */
function plainNumber(text: string): string {
  const plain = withoutExponent(text)
  const short = plain.includes('.') && !/e/i.test(plain) ? plain.replace(/\.?0+$/, '') : plain
  return short === '-0' ? '0' : short
}
