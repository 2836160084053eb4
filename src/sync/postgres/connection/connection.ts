import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { Failure } from '../../../base/failure/failure.ts'
import { type Address, describePlace } from './address.ts'
import { connect } from './connect.ts'
import { explainError, Lost, sqlState } from './failures.ts'

/** A row as the server writes it: every value is text. */
export type ResultRow = Readonly<Record<string, string | null>>

/** How long things may take. Milliseconds. */
export interface Limits {
  /** A statement, by the server's clock and by ours: a socket may hang. */
  readonly statementMs: number
  /** A wait for somebody else's lock. */
  readonly lockMs: number
  /** A transaction in which nobody says anything: a frozen holder must not keep others out. */
  readonly idleInTransactionMs: number
}

/** What a holder leaves open when its machine is gone must be over soon, however long its lease is. */
const MOST_IDLE_MS = 15_000

/** The limits of every connection, for a lease of this length. */
export function limitsFor(leaseMs: number): Limits {
  return { statementMs: 30_000, lockMs: 5000, idleInTransactionMs: Math.min(MOST_IDLE_MS, Math.floor(leaseMs * 0.9)) }
}

/** One connection, on which one statement runs at a time. */
export class Connection {
  readonly address: Address
  readonly #client: Client
  readonly #socket: Socket
  #lost: Failure | null = null
  /** Ends with the statement that runs. */
  #turn: Promise<unknown> = Promise.resolve()
  #running = 0
  #statementMs: number

  private constructor(address: Address, client: Client, socket: Socket, statementMs: number) {
    this.address = address
    this.#client = client
    this.#socket = socket
    this.#statementMs = statementMs
    // An error that comes while nothing is asked is told to whoever asks next.
    client.on('error', (error) => this.#lose(error))
    client.on('end', () => this.#lose(new Error('Connection terminated')))
  }

  /**
   * Connects, and sets limits that are no longer than those that the role has already.
   * Fails: Lost (exit 8); REJECTED (5) when the server refuses; USAGE for what stands in the address; Interrupted.
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

  get isLost(): boolean {
    return this.#lost !== null
  }

  /**
   * Runs a statement, or several that are one text; gives the rows of the last. It is sent whole, in one message: wherever this
   * process is stopped, the server waits between statements, where its own limits count.
   * Fails: Lost when there is no answer in time, or no connection any more; as `explainError`.
   */
  async query(sql: string, limitMs = this.#statementMs): Promise<readonly ResultRow[]> {
    this.#running += 1
    const mine = this.#turn.then(() => this.#run(sql, limitMs))
    this.#turn = mine.catch(() => {})
    try {
      return await mine
    } finally {
      this.#running -= 1
    }
  }

  /** Runs a statement unless one runs already. Its failure is told to whoever asks next. */
  async queryIfIdle(sql: string): Promise<void> {
    if (this.#running === 0 && this.#lost === null) await this.query(sql).catch(() => {})
  }

  async #run(sql: string, limitMs: number): Promise<readonly ResultRow[]> {
    if (this.#lost !== null) throw this.#lost
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const place = describePlace(this.address)
        this.#lost ??= new Lost(
          `PostgreSQL at ${place} does not answer`,
          { hint: 'nothing is lost: run it again, it goes on from the last commit' },
          'TIMEOUT',
        )
        this.destroy()
        reject(this.#lost)
      }, limitMs)
    })
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

  /** Ends the connection in an orderly way, if it can be done at once. */
  async close(): Promise<void> {
    if (this.#lost !== null) return
    this.#lost = new Lost('the connection is closed')
    await Promise.race([
      this.#client.end().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
    ])
    this.#socket.destroy()
  }

  /** Cuts the connection. The server takes back what was not committed. */
  destroy(): void {
    this.#lost ??= new Lost('the connection is closed')
    this.#socket.destroy()
  }

  #lose(error: unknown): void {
    const failure = explainError(error, this.address)
    this.#lost ??= failure instanceof Failure ? failure : new Lost('the connection was lost')
    this.#socket.destroy()
  }

  async #setUp({ statementMs, lockMs, idleInTransactionMs }: Limits): Promise<number> {
    const most = {
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }
    const values = Object.entries(most).map(([name, ms]) => `('${name}', ${ms})`)
    // The driver takes text as UTF-8, and our literals escape nothing but the quote.
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

/** An orderly end takes a packet; a server that does not take it need not be waited for. */
const CLOSE_MS = 500

function rowsOfLast(result: unknown): readonly ResultRow[] {
  const last: unknown = Array.isArray(result) ? result.at(-1) : result
  return (last as { readonly rows?: readonly ResultRow[] }).rows ?? []
}
