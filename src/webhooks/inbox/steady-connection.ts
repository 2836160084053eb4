import { Failure } from '../../base/failure/failure.ts'
import { pause } from '../../sync/postgres/connection/backoff.ts'
import type { Connection, Limits } from '../../sync/postgres/connection/connection.ts'
import { Lost } from '../../sync/postgres/connection/failures.ts'
import { type InboxPlace, inOurWords, openInbox } from './open-inbox.ts'

/** From this try on the waits grow no more: a database that is back must be found while the service waits for an answer. */
const SLOWEST_TRY = 5

/** A connection to an inbox that is made anew whenever it is lost, for as long as that takes. */
export class SteadyConnection {
  readonly #place: InboxPlace
  readonly #limits: Limits
  readonly #tell: (line: string) => void
  readonly #ending = new AbortController()
  #connection: Connection
  #returning: Promise<Connection> | null = null
  #trouble: string | null = null

  private constructor(place: InboxPlace, limits: Limits, tell: (line: string) => void, connection: Connection) {
    this.#place = place
    this.#limits = limits
    this.#tell = tell
    this.#connection = connection
  }

  /** Connects the first time, and makes the table where it is missing. Fails: as `openInbox`. */
  static async open(
    place: InboxPlace,
    limits: Limits,
    { signal, tell }: { readonly signal: AbortSignal; readonly tell: (line: string) => void },
  ): Promise<SteadyConnection> {
    try {
      return new SteadyConnection(place, limits, tell, await openInbox(place, limits, signal))
    } catch (error) {
      throw inOurWords(error)
    }
  }

  /** Why the database cannot be reached now; null: it can. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** The connection; comes back once there is one. Fails: Interrupted or AbortError, when this is closed first. */
  get(): Promise<Connection> {
    if (this.#returning !== null) return this.#returning
    if (!this.#connection.isLost) return Promise.resolve(this.#connection)
    this.#returning = this.#comeBack().finally(() => {
      this.#returning = null
    })
    return this.#returning
  }

  /**
   * Does something, anew each time the connection is lost or the database gives up, until the signal is aborted.
   * Fails: Lost when it is aborted first; as `act`, when it is anything else.
   */
  async steadily<T>(act: (connection: Connection) => Promise<T>, signal = this.#ending.signal): Promise<T> {
    for (let tries = 1; ; tries++) {
      const connection = await orAborted(this.get(), signal)
      try {
        return await act(connection)
      } catch (error) {
        await this.takeBack(connection)
        if (!(error instanceof Lost) || signal.aborted || this.#ending.signal.aborted) throw error
        if (connection.isLost) this.#sayOnce(error)
        else await pause(Math.min(tries, SLOWEST_TRY), this.#ending.signal)
      }
    }
  }

  /** Takes back what a transaction that failed left open. Never fails. */
  async takeBack(connection: Connection): Promise<void> {
    if (!connection.isLost) await connection.query('ROLLBACK').catch(() => connection.destroy())
  }

  async close(): Promise<void> {
    this.#ending.abort(new Lost('the connection is closed'))
    await this.#returning?.catch(() => undefined)
    await this.#connection.close()
  }

  async #comeBack(): Promise<Connection> {
    const { signal } = this.#ending
    for (let tries = 1; ; tries++) {
      try {
        this.#connection = await openInbox(this.#place, this.#limits, signal)
        if (this.#trouble !== null) this.#tell(`${this.#place.words} is back`)
        this.#trouble = null
        return this.#connection
      } catch (error) {
        if (signal.aborted || !(error instanceof Failure)) throw error
        this.#sayOnce(error)
      }
      await pause(Math.min(tries, SLOWEST_TRY), signal)
    }
  }

  #sayOnce({ words }: Failure): void {
    if (this.#trouble === null) this.#tell(`${words}; connecting again`)
    this.#trouble = words
  }
}

/** Waits for something, unless the signal is aborted first. Fails: Lost, or as `work`. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined)
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Lost('the connection was not waited for'))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
