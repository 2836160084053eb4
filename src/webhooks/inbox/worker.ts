import { monotonicMs } from '../../base/stopwatch.ts'
import { Lost } from '../../sync/postgres/connection/failures.ts'
import { holderHere } from '../../sync/postgres/lease/holder.ts'
import type { CommandEnd } from '../handling/handler-commands.ts'
import type { Mark } from '../listener/mark.ts'
import type { Handle } from './handle.ts'
import { Hold, TAKEN_OVER } from './hold.ts'
import type { InboxPlace } from './open-inbox.ts'
import { type Finished, type Leased, type Leasing, markDone, markFailed, renewLeases, takeDue } from './queue.ts'
import { SteadyConnection } from './steady-connection.ts'

/** An event that was handled, or not, and what became of it. */
export interface Handled extends Finished, CommandEnd {
  readonly leased: Leased
  /** How long the handling took. Milliseconds. */
  readonly ms: number
}

/** How a worker works. */
export interface Working {
  readonly leaseMs: number
  /** Is in each lease, so that a listener recognises what this worker forwards. */
  readonly mark: Mark
  /** How many events are handled at the same time. */
  readonly concurrency: number
  /** How many to handle; null: as many as come. */
  readonly most: number | null
  /** Whether to end when nothing is due. */
  readonly untilEmpty: boolean
  readonly handle: Handle
  readonly handled: (handled: Handled) => void
  /** Is called once the inbox is open. */
  readonly begun: () => void
  /** Takes no more once it is aborted; what was taken is finished. */
  readonly stop: AbortSignal
  readonly tell: (line: string) => void
}

/** The first looks at an empty inbox follow soon on each other. Milliseconds. */
const FIRST_LOOK_MS = 100
const LONGEST_LOOK_MS = 1000

/**
 * Takes events from an inbox and handles them, until it is stopped. A lost connection is made anew; an event whose lease could not be
 * renewed in time is given up. Fails: as `openInbox`, and for what the database refuses.
 */
export async function work(place: InboxPlace, working: Working): Promise<void> {
  const { leaseMs, stop, tell } = working
  // What hangs must be known before a lease ends.
  const limitMs = Math.max(500, Math.min(30_000, Math.floor(leaseMs / 6)))
  const limits = { statementMs: limitMs, lockMs: limitMs, idleInTransactionMs: limitMs }
  const steady = await SteadyConnection.open(place, limits, { signal: stop, tell })
  const worker = new Worker(steady, working)
  working.begun()
  try {
    await worker.run()
  } finally {
    await worker.close()
  }
}

class Worker {
  readonly #steady: SteadyConnection
  readonly #working: Working
  readonly #leasing: Leasing
  readonly #holds = new Map<Hold, Promise<void>>()
  readonly #renewing: NodeJS.Timeout
  #isRenewing = false
  #begun = 0
  #trouble: unknown = null
  #wake = () => {}

  constructor(steady: SteadyConnection, working: Working) {
    const { leaseMs, mark } = working
    this.#steady = steady
    this.#working = working
    this.#leasing = { leaseMs, holder: JSON.stringify({ ...holderHere('webhooks work'), token: mark.id }) }
    this.#renewing = setInterval(() => void this.#renew(), leaseMs / 4)
  }

  async run(): Promise<void> {
    const { stop, untilEmpty, concurrency } = this.#working
    const most = this.#working.most ?? Number.POSITIVE_INFINITY
    const wake = () => this.#wake()
    stop.addEventListener('abort', wake)
    let looks = 0
    while (!stop.aborted && this.#trouble === null && this.#begun < most) {
      const free = Math.min(concurrency - this.#holds.size, most - this.#begun)
      if (free === 0) {
        await this.#untilWoken(null)
        continue
      }
      const taken = await this.#take(free)
      looks = taken === 0 ? looks + 1 : 0
      if (taken > 0 || stop.aborted || this.#trouble !== null) continue
      if (untilEmpty && this.#holds.size === 0) break
      await this.#untilWoken(Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(looks - 1, 8)))
    }
    stop.removeEventListener('abort', wake)
    while (this.#holds.size > 0) await Promise.all(this.#holds.values())
    if (this.#trouble !== null) throw this.#trouble
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    await this.#steady.close()
  }

  /** Takes what is due, and begins to handle it; gives how many these are. */
  async #take(most: number): Promise<number> {
    const { stop, leaseMs } = this.#working
    let askedAt = 0
    try {
      const taken = await this.#steady.steadily((connection) => {
        askedAt = monotonicMs()
        return takeDue(connection, this.#leasing, most)
      }, stop)
      for (const leased of taken) {
        this.#begun++
        const hold = new Hold(leased, leaseMs, askedAt)
        const handling = this.#handle(hold).finally(() => {
          hold.end()
          this.#holds.delete(hold)
          this.#wake()
        })
        this.#holds.set(hold, handling)
      }
      return taken.length
    } catch (error) {
      if (!(error instanceof Lost)) this.#trouble = error
      return 0
    }
  }

  /** Never fails. */
  async #handle(hold: Hold): Promise<void> {
    const { leased } = hold
    const started = monotonicMs()
    const end = await this.#working.handle(leased, hold.signal)
    const ms = Math.round(monotonicMs() - started)
    const finished = await this.#finish(hold, end)
    const words = finished.outcome === 'lost' ? hold.lostWords : end.words
    this.#working.handled({ leased, ms, isDone: end.isDone, words, ...finished })
  }

  /** Never fails. */
  async #finish({ leased, signal }: Hold, { isDone, words }: CommandEnd): Promise<Finished> {
    try {
      if (!signal.aborted)
        return await this.#steady.steadily(
          (connection) => (isDone ? markDone(connection, leased) : markFailed(connection, leased, words)),
          signal,
        )
    } catch (error) {
      if (!(error instanceof Lost)) this.#trouble ??= error
    }
    return { outcome: 'lost', nextMs: null }
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing || this.#holds.size === 0) return
    this.#isRenewing = true
    try {
      const holds = [...this.#holds.keys()]
      const askedAt = monotonicMs()
      const connection = await this.#steady.get()
      const ours = await renewLeases(
        connection,
        holds.map(({ leased }) => leased),
        this.#leasing.leaseMs,
      )
      for (const hold of holds) {
        if (ours.has(hold.leased.id)) hold.renewed(askedAt)
        else if (this.#holds.has(hold)) hold.lose(TAKEN_OVER)
      }
    } catch {
      // The next round tries again; what cannot be renewed in time is given up.
    } finally {
      this.#isRenewing = false
    }
  }

  /** Waits until an event ends or the worker is stopped, or for so long. */
  #untilWoken(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      // Uneven waits keep workers apart.
      const timer = ms === null ? undefined : setTimeout(resolve, ms * (0.8 + Math.random() * 0.2))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
