import type { SyncRecord } from '../record.ts'

const BATCH_RECORDS = 500
const BATCH_CHARACTERS = 2_000_000
/** Up to here, what was added since the last commit is kept, to be written again when the connection is lost. */
const MOST_KEPT_CHARACTERS = 8_000_000

/** What was added since the last commit. */
export class Pending {
  #batch: SyncRecord[] = []
  #batchCharacters = 0
  /** All of it; null: it is too much to keep. */
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

  /** All of it is to be written again; false: it is not kept, and now there is nothing. */
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
