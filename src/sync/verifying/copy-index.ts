import { NumberTable } from '../files/hash-table.ts'
import type { SyncRecord } from '../record.ts'
import { contentDigest } from './content.ts'

/** How a record of the service stands in the copy. */
export type Standing = 'same' | 'stale' | 'missing'

/** Marks in the two bits below a digest. */
const EXPECTED = 1
const MET = 2
const MARKS = 4

/** What a copy has, as far as it takes to compare it: a hash of each ID, a digest of the content, two marks. A million take at most 25 MB. */
export class CopyIndex {
  readonly #table = new NumberTable()

  get size(): number {
    return this.#table.size
  }

  /** Takes in a record of the copy; `isExpected`: the service must show it, or it is one too many. */
  take(record: SyncRecord, isExpected: boolean): void {
    this.#table.set(keyOf(record), contentDigest(record.text) * MARKS + (isExpected ? EXPECTED : 0))
  }

  /** How a record that the service shows stands in the copy. Each is judged once: what comes again is the same. */
  judge(record: SyncRecord): Standing {
    const key = keyOf(record)
    const known = this.#table.get(key)
    if (known !== undefined && has(known, MET)) return 'same'
    const digest = contentDigest(record.text)
    this.#table.set(key, digest * MARKS + MET)
    if (known === undefined) return 'missing'
    return Math.floor(known / MARKS) === digest ? 'same' : 'stale'
  }

  /** Notes that the service has a record, whatever it says. */
  meet(record: SyncRecord): void {
    const key = keyOf(record)
    const known = this.#table.get(key)
    if (known !== undefined && !has(known, MET)) this.#table.set(key, known + MET)
  }

  /** Whether the service must have shown this record of the copy, and did not. */
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
