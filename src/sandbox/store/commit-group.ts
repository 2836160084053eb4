import type { DatabaseSync } from 'node:sqlite'

/**
 * Writes that come together and share one transaction, and so one wait for the disk. Each keeps its own changes, or takes back its
 * own alone. All are told when they are on disk, in the same turn of the event loop.
 */
export class CommitGroup {
  readonly #database: DatabaseSync
  readonly #ended: Promise<void>
  #conclude: (error: unknown) => void = () => {}
  /** Why nothing of it is kept, once SQLite has taken all of it back. */
  #lost: { readonly error: unknown } | null = null
  /** True while one of the writes is at work. */
  isWorking = false

  /** Opens the transaction. Fails: as SQLite. */
  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('BEGIN IMMEDIATE')
    this.#ended = new Promise((resolve, reject) => {
      this.#conclude = (error) => (error === null ? resolve() : reject(error))
    })
    // Whoever waits is told; nobody may be waiting yet.
    this.#ended.catch(() => {})
  }

  /** Does one write, and waits until it is on disk. What it throws is thrown then as well, as others' changes may be the reason. */
  async add<T>(work: () => T): Promise<T> {
    const outcome = this.#do(work)
    await this.#ended
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #do<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
    if (this.#lost !== null) return this.#lost
    const database = this.#database
    this.isWorking = true
    try {
      database.exec('SAVEPOINT one')
      const value = work()
      database.exec('RELEASE one')
      return { value }
    } catch (error) {
      // After some errors, such as a full disk, SQLite has rolled all of it back.
      if (database.isTransaction) database.exec('ROLLBACK TO one; RELEASE one')
      else this.#lose(error)
      return { error }
    } finally {
      this.isWorking = false
    }
  }

  /** Puts the changes of all writes on disk; every one of them fails when that does. */
  commit(): void {
    const database = this.#database
    try {
      if (this.#lost === null) database.exec('COMMIT')
      this.#conclude(null)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      this.#lose(error)
    }
  }

  #lose(error: unknown): void {
    this.#lost = { error }
    this.#conclude(error)
  }
}
