import type { Counts } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { HashSet, HashTable } from './hash-table.ts'

/** Versions without a time, until a commit gives them one. */
const UNTIL_COMMIT = Number.POSITIVE_INFINITY

export class Versions {
  readonly #versions = new HashTable()
  readonly #ids = new HashSet()
  /** Whether all versions and IDs of the file are known, or only versions that may be sent again. */
  isWhole: boolean

  /** @param recent from the state file; null if the file is empty. */
  constructor(recent: readonly (readonly [hash: string, ms: number])[] | null) {
    this.isWhole = recent === null
    for (const [hash, ms] of recent ?? []) this.#versions.setHash(hash, ms)
  }

  fill(rows: Iterable<{ readonly id: string | null; readonly key: string }>): void {
    for (const { id, key } of rows) {
      if (!this.#versions.has(key)) this.#versions.set(key, Number.NEGATIVE_INFINITY)
      if (id !== null) this.#ids.add(id)
    }
    this.isWhole = true
  }

  /** Whether a version is known. A version that was sent again may be sent again later. */
  sees(key: string, record: SyncRecord, leastMs: number): boolean {
    const isKnown = this.#versions.has(key)
    if (isKnown) this.#versions.set(key, untilOf(record, leastMs))
    return isKnown
  }

  /** Adds a new version; returns `changed` if its record had another one. Requires that `isWhole`. */
  add(key: string, record: SyncRecord, leastMs: number): keyof Counts {
    this.#versions.set(key, untilOf(record, leastMs))
    return record.id === null || this.#ids.add(record.id) ? 'added' : 'changed'
  }

  /** Versions that a run from `fromMs` may see again. Those without a time were sent by `cursorMs`. */
  recent(fromMs: number, cursorMs: number): (readonly [hash: string, ms: number])[] {
    this.#versions.settle(cursorMs)
    return [...this.#versions.entries(fromMs)]
  }
}

/** A version dated before what was asked for may come at any time, like one without a date. */
function untilOf({ changedMs }: SyncRecord, leastMs: number): number {
  return changedMs === null || changedMs < leastMs ? UNTIL_COMMIT : changedMs
}
