import type { SyncRecord } from '../record.ts'

const BATCH_RECORDS = 500
const BATCH_CHARACTERS = 2_000_000
/**
 * The maximum total size of the records kept since the last commit. If the connection is lost, they must be written
 * again.
 */
const MOST_KEPT_CHARACTERS = 8_000_000

/** The records added since the last commit, both unwritten and retained. */
export class Pending {
  #batch: SyncRecord[] = []
  #batchCharacters = 0
  /** All records since the last commit, or `null` if there are too many to retain. */
  #kept: SyncRecord[] | null = []
  #keptCharacters = 0

  add(record: SyncRecord): void {
    const { length } = record.text
    this.#batch.push(record)
    this.#batchCharacters += length
    this.#keptCharacters += length
    if (this.#keptCharacters > MOST_KEPT_CHARACTERS) this.#kept = null
    this.#kept?.push(record)
  }

  get isFull(): boolean {
    return this.#batch.length >= BATCH_RECORDS || this.#batchCharacters >= BATCH_CHARACTERS
  }

  get isEmpty(): boolean {
    return this.#batch.length === 0
  }

  take(): readonly SyncRecord[] {
    const batch = this.#batch
    this.#batch = []
    this.#batchCharacters = 0
    return batch
  }

  /** Requeues all records since the last commit. If there were too many to retain, returns false and drops them. */
  rewind(): boolean {
    const kept = this.#kept
    this.forget()
    for (const record of kept ?? []) this.add(record)
    return kept !== null
  }

  forget(): void {
    this.take()
    this.#kept = []
    this.#keptCharacters = 0
  }
}
