import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { Failure } from '../base/failure/failure.ts'
import type { TextRow } from '../base/storage/text-row.ts'
import { type Address, describeServer } from './address.ts'
import { connect } from './connect.ts'
import { ConnectionLost, explainError, sqlState } from './failures.ts'

/** Time limits for a connection, in milliseconds. */
export interface Limits {
  /** The time limit for one statement. Both the server and this process enforce it, because a socket can hang. */
  readonly statementMs: number
  readonly lockMs: number
  /** How long a transaction can be idle. Without this limit, a suspended process could block others. */
  readonly idleInTransactionMs: number
}

/**
 * The upper limit for `idleInTransactionMs`. It is short, so that the server soon ends the transaction of a machine
 * that died, even if the lease is long.
 */
const MOST_IDLE_MS = 15_000

export function limitsFor(leaseMs: number): Limits {
  return { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: Math.min(MOST_IDLE_MS, Math.floor(leaseMs * 0.9)) }
}

/** A connection that runs one statement at a time. */
export class Connection {
  readonly address: Address
  readonly #client: Client
  readonly #socket: Socket
  #lost: Failure | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #running = 0
  #statementMs: number

  private constructor(address: Address, client: Client, socket: Socket, statementMs: number) {
    this.address = address
    this.#client = client
    this.#socket = socket
    this.#statementMs = statementMs
    // If an error occurs between statements, the next statement throws it.
    client.on('error', (error) => this.#lose(error))
    client.on('end', () => this.#lose(new Error('Connection terminated')))
  }

  /**
   * Connects and lowers the session's limits. Throws ConnectionLost, REJECTED or Interrupted. Throws USAGE if the
   * address is invalid.
   */
  static async open(address: Address, limits: Limits, signal: AbortSignal): Promise<Connection> {
    const { client, socket } = await connect(address, signal)
    const connection = new Connection(address, client, socket, limits.statementMs)
    try {
      connection.#statementMs = await connection.#setUp(limits)
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  /**
   * Connects without the settings that {@link open} changes, so statements must not depend on these settings. Throws
   * the same errors as {@link open}.
   */
  static async openPlain(address: Address, statementMs: number, signal: AbortSignal): Promise<Connection> {
    const { client, socket } = await connect(address, signal)
    return new Connection(address, client, socket, statementMs)
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  /**
   * Runs one or more statements in one message and returns the rows of the last one. If this process is suspended, the
   * server finishes all statements before the limit for idle transactions applies. Throws ConnectionLost if the
   * connection is lost or the server does not respond in time. Converts other errors with `explainError`.
   */
  async query(sql: string, limitMs = this.#statementMs): Promise<readonly TextRow[]> {
    this.#running += 1
    const mine = this.#turn.then(() => this.#run(sql, limitMs))
    this.#turn = mine.catch(() => {})
    try {
      return await mine
    } finally {
      this.#running -= 1
    }
  }

  /**
   * Listens on a channel. Calls `onNotified` for each notification, including those on other channels. Throws the same
   * errors as {@link query}.
   */
  async listen(channel: string, onNotified: () => void): Promise<void> {
    this.#client.on('notification', onNotified)
    await this.query(`LISTEN ${channel}`)
  }

  /** Ends a failed transaction. Never throws: if the rollback fails, closes the connection. */
  async rollBack(): Promise<void> {
    if (!this.isLost) await this.query('ROLLBACK').catch(() => this.destroy())
  }

  /** Runs a statement unless another one is running. If the statement fails, the next statement throws its error. */
  async queryIfIdle(sql: string): Promise<void> {
    if (this.#running === 0 && this.#lost === null) await this.query(sql).catch(() => {})
  }

  async #run(sql: string, limitMs: number): Promise<readonly TextRow[]> {
    if (this.#lost !== null) throw this.#lost
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const hint = 'nothing is lost; to continue from the last commit, run the command again'
      this.#lost ??= new ConnectionLost(
        `PostgreSQL at ${describeServer(this.address)} is not responding`,
        { hint },
        'TIMEOUT',
      )
      this.destroy()
      reject(this.#lost)
    }, limitMs)
    try {
      const result: unknown = await Promise.race([this.#client.query(sql), late])
      return rowsOfLast(result)
    } catch (error) {
      const failure = explainError(error, this.address)
      if (sqlState(error) === null && failure instanceof Failure) this.#lost ??= failure
      throw this.#lost ?? failure
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the connection, gracefully if the server responds immediately. */
  async close(): Promise<void> {
    if (this.#lost !== null) return
    this.#lost = new ConnectionLost('the connection is closed')
    await Promise.race([
      this.#client.end().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
    ])
    this.#socket.destroy()
  }

  /** Closes the socket without notifying the server. The server then rolls back any open transaction. */
  destroy(): void {
    this.#lost ??= new ConnectionLost('the connection is closed')
    this.#socket.destroy()
  }

  #lose(error: unknown): void {
    const failure = explainError(error, this.address)
    this.#lost ??= failure instanceof Failure ? failure : new ConnectionLost('the connection was lost')
    this.#socket.destroy()
  }

  async #setUp({ statementMs, lockMs, idleInTransactionMs }: Limits): Promise<number> {
    const most = {
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }
    const values = Object.entries(most).map(([name, ms]) => `('${name}', ${ms})`)
    // These settings are required because the driver sends UTF-8, and our string literals escape only quotes.
    await this.query(
      'SET client_encoding = UTF8; SET standard_conforming_strings = on; SET timezone = UTC; SET datestyle = ISO',
    )
    const rows = await this.query(
      `SELECT name, set_config(name, CASE WHEN setting::bigint BETWEEN 1 AND most THEN setting ELSE most::text END, false) AS set,
         CASE WHEN setting::bigint BETWEEN 1 AND most THEN setting ELSE most::text END AS ms
       FROM pg_settings JOIN (VALUES ${values.join(', ')}) AS v(limited, most) ON name = limited`,
    )
    return Number(rows.find(({ name }) => name === 'statement_timeout')?.['ms'] ?? statementMs)
  }
}

const CLOSE_MS = 500

function rowsOfLast(result: unknown): readonly TextRow[] {
  const last: unknown = Array.isArray(result) ? result.at(-1) : result
  return (last as { readonly rows?: readonly TextRow[] }).rows ?? []
}
