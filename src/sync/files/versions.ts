import type { SyncRecord } from '../record.ts'
import { HashSet, HashTable } from './hash-table.ts'

/** Of versions without a time, until a commit gives them one. */
const UNTIL_COMMIT = Number.POSITIVE_INFINITY

/** What a file has a version of: `added` is the first of its record, `changed` a further one. */
export type Newness = 'added' | 'changed' | 'unchanged'

/** The versions that a file has, as far as they are known. */
export class Versions {
  readonly #versions = new HashTable()
  readonly #ids = new HashSet()
  /** Whether every version and ID of the file is known; else only the versions that may be sent again. */
  #isWhole: boolean

  /** @param recent what the state of the file has kept; null: the file has nothing. */
  constructor(recent: readonly (readonly [hash: string, ms: number])[] | null) {
    this.#isWhole = recent === null
    for (const [hash, ms] of recent ?? []) this.#versions.setHash(hash, ms)
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Takes in what the file has, which makes the rest of it known. */
  fill(rows: Iterable<{ readonly id: string | null; readonly key: string }>): void {
    for (const { id, key } of rows) {
      if (!this.#versions.has(key)) this.#versions.set(key, Number.NEGATIVE_INFINITY)
      if (id !== null) this.#ids.add(id)
    }
    this.#isWhole = true
  }

  /** Whether a version is known. One that was sent again may be sent again later. */
  sees(key: string, record: SyncRecord, leastMs: number): boolean {
    const isKnown = this.#versions.has(key)
    if (isKnown) this.#versions.set(key, untilOf(record, leastMs))
    return isKnown
  }

  /** Takes in a version that is new. All of the file must be known. */
  add(key: string, record: SyncRecord, leastMs: number): Newness {
    this.#versions.set(key, untilOf(record, leastMs))
    return record.id === null || this.#ids.add(record.id) ? 'added' : 'changed'
  }

  /** The versions that may be sent again to a run that asks from `fromMs`, for the state; those without a time were sent by `cursorMs`. */
  recent(fromMs: number, cursorMs: number): (readonly [hash: string, ms: number])[] {
    this.#versions.settle(cursorMs)
    return [...this.#versions.entries(fromMs)]
  }
}

/** Until when a version may be sent again. One that is dated before what was asked for may come at any time, as one without a date may. */
function untilOf({ changedMs }: SyncRecord, leastMs: number): number {
  return changedMs === null || changedMs < leastMs ? UNTIL_COMMIT : changedMs
}
