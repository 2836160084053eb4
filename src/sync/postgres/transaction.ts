import type { Connection } from './connection/connection.ts'

/**
 * A transaction that may stay open while the service is asked for more: meanwhile the server is told that somebody is there, or it
 * would take the process for frozen.
 */
export class Transaction {
  readonly connection: Connection
  readonly #timer: NodeJS.Timeout

  private constructor(connection: Connection, aliveMs: number) {
    this.connection = connection
    this.#timer = setInterval(() => void connection.queryIfIdle('SELECT 1'), aliveMs)
    this.#timer.unref()
  }

  /** `idleMs`: how long the server waits for a word. */
  static async begin(connection: Connection, idleMs: number): Promise<Transaction> {
    await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE')
    return new Transaction(connection, idleMs / 3)
  }

  async commit(): Promise<void> {
    clearInterval(this.#timer)
    await this.connection.query('COMMIT')
  }

  /** Takes everything back. Never fails: what cannot be said is cut off. */
  async rollBack(): Promise<void> {
    clearInterval(this.#timer)
    if (this.connection.isLost) return
    await this.connection.query('ROLLBACK').catch(() => this.connection.destroy())
  }
}
