import type { DatabaseSync } from 'node:sqlite'
import { NotUndone } from '../../base/storage/commit-queue.ts'
import { savepoint } from '../../base/storage/sqlite.ts'

/** Simultaneous writes in one transaction. Each can roll back alone. All settle in one turn, after the commit. */
export class CommitGroup {
  readonly #database: DatabaseSync
  readonly #end = Promise.withResolvers<void>()
  /** The error after which SQLite has rolled everything back. */
  #lost: { readonly error: unknown } | null = null
  isWorking = false

  /** Opens the transaction. Fails: as SQLite. */
  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('BEGIN IMMEDIATE')
    // Avoids an unhandled rejection before the first write waits.
    this.#end.promise.catch(() => {})
  }

  /** Runs a write, and waits for the commit. Its errors wait, too, as others' changes may be their cause. */
  async add<T>(work: () => T): Promise<T> {
    const outcome = this.#do(work)
    await this.#end.promise
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }

  #do<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
    if (this.#lost !== null) return this.#lost
    this.isWorking = true
    try {
      return { value: savepoint(this.#database, work) }
    } catch (error) {
      if (!(error instanceof NotUndone)) return { error }
      this.#lose(error.cause)
      return { error: error.cause }
    } finally {
      this.isWorking = false
    }
  }

  /** Commits all writes. If that fails, all of them fail. */
  commit(): void {
    const database = this.#database
    try {
      if (this.#lost === null) database.exec('COMMIT')
      this.#end.resolve()
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      this.#lose(error)
    }
  }

  #lose(error: unknown): void {
    this.#lost = { error }
    this.#end.reject(error)
  }
}
