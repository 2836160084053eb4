import type { Counts } from '../copy.ts'
import type { SyncRecord } from '../record.ts'
import { HashSet, HashTable } from './hash-table.ts'

/** The time stored for a version that may be sent again at any time. The next commit replaces it. */
const UNTIL_COMMIT = Number.POSITIVE_INFINITY

/** The known versions in a file or stream. */
export class Versions {
  readonly #versions = new HashTable()
  readonly #ids = new HashSet()
  /** Whether every version and ID in the file is loaded, rather than only the versions that may be sent again. */
  hasAllVersions: boolean

  /** `recent` contains the versions from the state file, or is `null` if the data file is empty. */
  constructor(recent: readonly (readonly [hash: string, ms: number])[] | null) {
    this.hasAllVersions = recent === null
    for (const [hash, ms] of recent ?? []) this.#versions.setHash(hash, ms)
  }

  fill(rows: Iterable<{ readonly id: string | null; readonly key: string }>): void {
    for (const { id, key } of rows) {
      if (!this.#versions.has(key)) this.#versions.set(key, Number.NEGATIVE_INFINITY)
      if (id !== null) this.#ids.add(id)
    }
    this.hasAllVersions = true
  }

  /** Returns whether a version is known. If it is, remembers it for longer, because the service may send it again. */
  recognize(key: string, record: SyncRecord, leastMs: number): boolean {
    const isKnown = this.#versions.has(key)
    if (isKnown) this.#versions.set(key, rememberUntil(record, leastMs))
    return isKnown
  }

  /**
   * Adds a new version. Returns `changed` if another version of the record was already known. Requires
   * `hasAllVersions`.
   */
  add(key: string, record: SyncRecord, leastMs: number): keyof Counts {
    this.#versions.set(key, rememberUntil(record, leastMs))
    return record.id === null || this.#ids.add(record.id) ? 'added' : 'changed'
  }

  /**
   * Returns the versions that the service may send again to a run that starts reading at `fromMs`. Replaces {@link
   * UNTIL_COMMIT} with `cursorMs`.
   */
  recent(fromMs: number, cursorMs: number): (readonly [hash: string, ms: number])[] {
    this.#versions.replaceInfinite(cursorMs)
    return [...this.#versions.entries(fromMs)]
  }
}

/**
 * Returns when a version can be forgotten. An undated version, or one from before the requested period, may be sent
 * again at any time.
 */
function rememberUntil({ changedMs }: SyncRecord, leastMs: number): number {
  return changedMs === null || changedMs < leastMs ? UNTIL_COMMIT : changedMs
}
