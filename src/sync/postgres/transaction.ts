import type { Connection } from './connection/connection.ts'

/** A transaction that stays open while the service is read. Queries keep the server from ending it as idle. */
export class Transaction {
  readonly connection: Connection
  readonly #timer: NodeJS.Timeout

  private constructor(connection: Connection, aliveMs: number) {
    this.connection = connection
    this.#timer = setInterval(() => void connection.queryIfIdle('SELECT 1'), aliveMs)
    this.#timer.unref()
  }

  /** `idleMs`: when the server ends an idle transaction. */
  static async begin(connection: Connection, idleMs: number): Promise<Transaction> {
    await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE')
    return new Transaction(connection, idleMs / 3)
  }

  async commit(): Promise<void> {
    clearInterval(this.#timer)
    await this.connection.query('COMMIT')
  }

  /** Never fails: cuts the connection if it must. */
  async rollBack(): Promise<void> {
    clearInterval(this.#timer)
    if (this.connection.isLost) return
    await this.connection.query('ROLLBACK').catch(() => this.connection.destroy())
  }
}
