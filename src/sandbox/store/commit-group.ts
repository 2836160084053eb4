import type { DatabaseSync } from 'node:sqlite'
import { NotUndone } from '../../base/storage/commit-queue.ts'
import { savepoint } from '../../base/storage/sqlite.ts'

/**
 * Combines concurrent writes into one transaction. If a write fails, it is rolled back without affecting the others.
 * All promises settle together, after the commit.
 */
export class CommitGroup {
  readonly #database: DatabaseSync
  readonly #end = Promise.withResolvers<void>()
  /** The error that made SQLite roll back the whole group, or `null` if there was none. */
  #failure: { readonly error: unknown } | null = null
  isWorking = false

  /** Begins the transaction. Throws SQLite's errors. */
  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('BEGIN IMMEDIATE')
    // Prevents an unhandled rejection if the group fails while no write is waiting for it.
    this.#end.promise.catch(() => {})
  }

  /**
   * Runs a write and waits for the commit. Waits even if the write throws, because another write's uncommitted changes
   * might have caused the error.
   */
  async add<T>(work: () => T): Promise<T> {
    const outcome = this.#run(work)
    await this.#end.promise
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #run<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
    if (this.#failure !== null) return this.#failure
    this.isWorking = true
    try {
      return { value: savepoint(this.#database, work) }
    } catch (error) {
      if (!(error instanceof NotUndone)) return { error }
      this.#fail(error.cause)
      return { error: error.cause }
    } finally {
      this.isWorking = false
    }
  }

  /** Commits all writes. If the commit fails, every write fails. */
  commit(): void {
    const database = this.#database
    try {
      if (this.#failure === null) database.exec('COMMIT')
      this.#end.resolve()
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure = { error }
    this.#end.reject(error)
  }
}
