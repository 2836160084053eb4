import { Failure } from '../../base/failure/failure.ts'
import type { Connection, Limits } from '../../sync/postgres/connection/connection.ts'
import { Lost } from '../../sync/postgres/connection/failures.ts'
import type { Delivery, Verdict } from '../events/journal/entry.ts'
import type { ReadEvent } from '../events/read-event.ts'
import { type Keeper, LeadsBack } from '../listener/keeper.ts'
import { type Arrived, findReturned, hashOf, insertDeliveries } from './insert.ts'
import type { InboxPlace } from './open-inbox.ts'
import { SteadyConnection } from './steady-connection.ts'

/** A delivery that is not in the inbox by then is answered 503: the service waits 5 s. Milliseconds. */
const KEEP_WITHIN_MS = 4000
/** A listener must know soon that a database hangs. */
const LIMITS: Limits = { statementMs: 3000, lockMs: 2000, idleInTransactionMs: 5000 }
/** So much goes into one transaction. */
const MOST_DELIVERIES = 200
const MOST_BYTES = 4_000_000

/** A delivery, and whoever waits for it. */
interface Pending extends Arrived {
  isOver: boolean
  readonly done: (verdict: Verdict) => void
  readonly failed: (error: unknown) => void
}

/** How an inbox is kept. */
export interface InboxKeeping {
  readonly duplicateWindowMs: number
  readonly signal: AbortSignal
  /** Prints a line for the person on stderr. */
  readonly tell: (line: string) => void
}

/**
 * Keeps deliveries in an inbox, which listeners may share. Those that come together go into one transaction. While the database
 * cannot be reached none is kept; it is connected to again until it can.
 * Fails: as `openInbox`.
 */
export async function openInboxKeeper(place: InboxPlace, keeping: InboxKeeping): Promise<Keeper> {
  return new InboxKeeper(place.words, keeping.duplicateWindowMs, await SteadyConnection.open(place, LIMITS, keeping))
}

class InboxKeeper implements Keeper {
  readonly words: string
  readonly #windowMs: number
  readonly #steady: SteadyConnection
  #pending: Pending[] = []
  #writing: Promise<void> | null = null

  constructor(words: string, windowMs: number, steady: SteadyConnection) {
    this.words = words
    this.#windowMs = windowMs
    this.#steady = steady
  }

  keep({ headers, body }: Omit<Delivery, 'verdict'>, read: ReadEvent): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const end = () => {
        pending.isOver = true
        clearTimeout(timer)
      }
      const pending: Pending = {
        ...{ headers, body, read, hash: hashOf(body), isOver: false },
        done: (verdict) => {
          end()
          resolve(verdict)
        },
        failed: (error) => {
          end()
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        pending.failed(new Failure('NETWORK_ERROR', this.#steady.trouble ?? `${this.words} takes too long`))
      }, KEEP_WITHIN_MS)
      this.#pending.push(pending)
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = null
      })
    })
  }

  async close(): Promise<void> {
    while (this.#pending.some(({ isOver }) => !isOver)) await Promise.race([this.#writing, aMoment()])
    await this.#steady.close()
    await this.#writing
  }

  /** Never fails. */
  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      try {
        await this.#steady.steadily((connection) => this.#write(connection, this.#nextBatch()))
      } catch (error) {
        for (const { failed } of this.#pending.splice(0)) failed(error)
      }
    }
  }

  #refuse(returned: readonly Pending[]): void {
    this.#pending = this.#pending.filter((pending) => !returned.includes(pending))
    for (const { failed } of returned)
      failed(new LeadsBack('a worker of this inbox has forwarded it: --forward-to leads back to this inbox'))
  }

  /** Those that come first; of those with the same bytes one, so that the next is counted on its row. */
  #nextBatch(): readonly Pending[] {
    this.#pending = this.#pending.filter(({ isOver }) => !isOver)
    const batch = new Map<string, Pending>()
    let bytes = 0
    for (const pending of this.#pending) {
      bytes += pending.body.byteLength
      if (batch.size === MOST_DELIVERIES || (batch.size > 0 && bytes > MOST_BYTES)) break
      if (!batch.has(pending.hash)) batch.set(pending.hash, pending)
    }
    return [...batch.values()]
  }

  /** Fails: Lost; the batch is pending still. */
  async #write(connection: Connection, all: readonly Pending[]): Promise<void> {
    if (all.length === 0) return
    let batch = all
    try {
      const returned = await findReturned(connection, all)
      this.#refuse(returned)
      batch = all.filter((pending) => !returned.includes(pending))
      if (batch.length === 0) return
      const verdicts = await insertDeliveries(connection, batch, this.#windowMs)
      this.#pending = this.#pending.filter((pending) => !batch.includes(pending))
      for (const [at, { done }] of batch.entries()) done(verdicts[at] ?? 'new')
    } catch (error) {
      if (error instanceof Lost) throw error
      // Somewhere else may be let in, and may write: a database that became a replica is not asked for ever.
      if (error instanceof Failure && error.code === 'REJECTED') connection.destroy()
      await this.#steady.takeBack(connection)
      const [first, ...others] = batch
      if (others.length === 0) {
        this.#pending = this.#pending.filter((pending) => pending !== first)
        first?.failed(error)
        return
      }
      // What one of them makes impossible, the others need not suffer.
      for (const one of batch) await this.#write(connection, [one])
    }
  }
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}
