import { type Connection, limitsFor } from '../../postgres/connection.ts'

/**
 * A transaction that stays open while the service is being read. Queries at regular intervals prevent an idle timeout.
 */
export class Transaction {
  readonly connection: Connection
  readonly #timer: NodeJS.Timeout

  private constructor(connection: Connection, aliveMs: number) {
    this.connection = connection
    this.#timer = setInterval(() => void connection.queryIfIdle('SELECT 1'), aliveMs)
    this.#timer.unref()
  }

  static async begin(connection: Connection, leaseMs: number): Promise<Transaction> {
    await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE')
    return new Transaction(connection, limitsFor(leaseMs).idleInTransactionMs / 3)
  }

  async commit(): Promise<void> {
    clearInterval(this.#timer)
    await this.connection.query('COMMIT')
  }

  /** Rolls the transaction back. Never throws: if the rollback fails, closes the connection. */
  async rollBack(): Promise<void> {
    clearInterval(this.#timer)
    await this.connection.rollBack()
  }
}
