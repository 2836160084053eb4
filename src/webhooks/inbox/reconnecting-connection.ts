import { Failure } from '../../base/failure/failure.ts'
import { pause } from '../../postgres/backoff.ts'
import type { Connection, Limits } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { type InboxPlace, openInbox, withInboxHint } from './open-inbox.ts'

/**
 * The attempt after which the delay stops growing. With longer delays, a listener might notice a restarted database
 * only after the service has stopped waiting for a response.
 */
const SLOWEST_ATTEMPT = 5

interface ReconnectingOptions {
  readonly signal: AbortSignal
  readonly report: (line: string) => void
  /** How to connect: `openInbox` (the default), or `openExistingInbox`, which never creates the table. */
  readonly open?: typeof openInbox
}

/** A connection to an inbox that reconnects whenever it is lost and never gives up. */
export class ReconnectingConnection {
  readonly #place: InboxPlace
  readonly #limits: Limits
  readonly #report: (line: string) => void
  readonly #open: typeof openInbox
  readonly #ending = new AbortController()
  #connection: Connection | null
  #reconnecting: Promise<Connection> | null = null
  #trouble: string | null = null

  private constructor(
    place: InboxPlace,
    limits: Limits,
    { report, open = openInbox }: ReconnectingOptions,
    connection: Connection | null,
  ) {
    this.#place = place
    this.#limits = limits
    this.#report = report
    this.#open = open
    this.#connection = connection
  }

  /** Connects. Throws the same errors as `options.open`. */
  static async open(place: InboxPlace, limits: Limits, options: ReconnectingOptions): Promise<ReconnectingConnection> {
    const { signal, open = openInbox } = options
    try {
      return new ReconnectingConnection(place, limits, options, await open(place, limits, signal))
    } catch (error) {
      throw withInboxHint(error)
    }
  }

  /**
   * Works like {@link open}, but if the database is unreachable, reports that and connects later. Throws the same
   * errors as {@link open}, except ConnectionLost.
   */
  static async openPatiently(
    place: InboxPlace,
    limits: Limits,
    options: ReconnectingOptions,
  ): Promise<ReconnectingConnection> {
    try {
      return await ReconnectingConnection.open(place, limits, options)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      const unconnected = new ReconnectingConnection(place, limits, options, null)
      unconnected.#reportOnce(error)
      return unconnected
    }
  }

  /** Why the database is unreachable, or `null` if it is reachable. */
  get trouble(): string | null {
    return this.#trouble
  }

  /**
   * Returns the connection as soon as it is established. Throws Interrupted or AbortError if `close` is called before
   * that.
   */
  get(): Promise<Connection> {
    if (this.#reconnecting !== null) return this.#reconnecting
    if (this.#connection?.isLost === false) return Promise.resolve(this.#connection)
    this.#reconnecting = this.#reconnect().finally(() => {
      this.#reconnecting = null
    })
    return this.#reconnecting
  }

  /**
   * Runs `act`, and repeats it each time the connection is lost. Throws ConnectionLost if the signal is aborted, or the
   * error that `act` throws.
   */
  async run<T>(act: (connection: Connection) => Promise<T>, signal = this.#ending.signal): Promise<T> {
    for (let tries = 1; ; tries++) {
      const connection = await orAborted(this.get(), signal)
      try {
        return await act(connection)
      } catch (error) {
        await connection.rollBack()
        if (!(error instanceof ConnectionLost) || signal.aborted || this.#ending.signal.aborted) throw error
        if (connection.isLost) this.#reportOnce(error)
        else await pause(Math.min(tries, SLOWEST_ATTEMPT), this.#ending.signal)
      }
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(new ConnectionLost('the connection is closed'))
    await this.#reconnecting?.catch(() => undefined)
    await this.#connection?.close()
  }

  async #reconnect(): Promise<Connection> {
    const { signal } = this.#ending
    for (let tries = 1; ; tries++) {
      try {
        this.#connection = await this.#open(this.#place, this.#limits, signal)
        if (this.#trouble !== null) this.#report(`${this.#place.words} is reachable again`)
        this.#trouble = null
        return this.#connection
      } catch (error) {
        if (signal.aborted || !(error instanceof Failure)) throw error
        this.#reportOnce(error)
      }
      await pause(Math.min(tries, SLOWEST_ATTEMPT), signal)
    }
  }

  #reportOnce({ words }: Failure): void {
    if (this.#trouble === null) this.#report(`${words}; reconnecting`)
    this.#trouble = words
  }
}

/** Waits for `work`. Throws ConnectionLost if the signal is aborted first, or the error that `work` throws. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined)
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ConnectionLost('stopped waiting for the connection'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
