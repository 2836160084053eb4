import { monotonicMs } from '../../base/stopwatch.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import { holderHere } from '../../sync/postgres/lease/holder.ts'
import type { CommandEnd } from '../handling/handler-commands.ts'
import type { Mark } from '../listener/mark.ts'
import type { Handle } from './handle.ts'
import { type InboxPlace, openExistingInbox } from './open-inbox.ts'
import { openPurge, purgeNext } from './purge.ts'
import { type Finished, type LeasedEvent, markDone, markFailed, renewLeases, takeDue } from './queue.ts'
import { ReconnectingConnection } from './reconnecting-connection.ts'

/** An event that was handled, with its outcome. */
export interface HandledEvent extends Finished, CommandEnd {
  readonly leased: LeasedEvent
  readonly ms: number
}

export interface WorkerOptions {
  readonly leaseMs: number
  /** The mark stored with each lease. It allows listeners to recognize events that this worker forwarded. */
  readonly mark: Mark
  readonly concurrency: number
  /** The maximum number of events to handle, or `null` for no limit. */
  readonly most: number | null
  readonly untilEmpty: boolean
  /** How long, in milliseconds, to keep handled events, or `null` to keep them forever. */
  readonly keepMs: number | null
  readonly handle: Handle
  readonly onHandled: (handled: HandledEvent) => void
  /** Called when the worker has connected. */
  readonly onStarted: () => void
  /** When this signal is aborted, the worker finishes its leased events, but leases no new ones. */
  readonly stop: AbortSignal
  readonly report: (line: string) => void
}

const FIRST_LOOK_MS = 100
const LONGEST_LOOK_MS = 1000

/** Leases and handles events until stopped. Throws the same errors as `openExistingInbox` and `query`. */
export async function work(place: InboxPlace, working: WorkerOptions): Promise<void> {
  const { leaseMs, stop, report, mark, untilEmpty, concurrency, keepMs } = working
  // Statements must time out before a lease expires.
  const limitMs = Math.max(500, Math.min(30_000, Math.floor(leaseMs / 6)))
  const limits = { statementMs: limitMs, lockMs: limitMs, idleInTransactionMs: limitMs }
  const steady = await ReconnectingConnection.open(place, limits, { signal: stop, report, open: openExistingInbox })
  const leasing = { leaseMs, holder: JSON.stringify({ ...holderHere('webhooks work'), token: mark.id }) }
  const holds = new Map<TrackedLease, Promise<void>>()
  const most = working.most ?? Number.POSITIVE_INFINITY
  let begun = 0
  let trouble: unknown = null
  let wake = () => {}
  /** Waits until an event has been handled or the worker is stopped, for at most `ms` milliseconds. */
  const untilWoken = (ms: number | null) =>
    new Promise<void>((resolve) => {
      // The wait is random so that workers do not poll at the same moment.
      const timer = ms === null ? undefined : setTimeout(resolve, ms * (0.8 + Math.random() * 0.2))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  /** Marks an event as done or failed. Never throws. */
  const finish = async ({ leased, signal }: TrackedLease, { isDone, words }: CommandEnd): Promise<Finished> => {
    try {
      if (!signal.aborted)
        return await steady.run(
          (connection) => (isDone ? markDone(connection, leased) : markFailed(connection, leased, words)),
          signal,
        )
    } catch (error) {
      if (!(error instanceof ConnectionLost)) trouble ??= error
    }
    return { outcome: 'lost', nextMs: null }
  }
  /** Handles an event and reports its outcome. Never throws. */
  const handle = async (hold: TrackedLease) => {
    const { leased, signal } = hold
    const started = monotonicMs()
    const end = await working.handle(leased, signal)
    const ms = Math.round(monotonicMs() - started)
    const finished = await finish(hold, end)
    const lostWords = typeof signal.reason === 'string' ? signal.reason : TAKEN_OVER
    const words = finished.outcome === 'lost' ? lostWords : end.words
    working.onHandled({ leased, ms, isDone: end.isDone, words, ...finished })
  }
  const take = async (free: number): Promise<number> => {
    let askedAt = 0
    try {
      const taken = await steady.run((connection) => {
        askedAt = monotonicMs()
        return takeDue(connection, leasing, free)
      }, stop)
      for (const leased of taken) {
        begun++
        const hold = trackLease(leased, leaseMs, askedAt)
        const handling = handle(hold).finally(() => {
          hold.end()
          holds.delete(hold)
          wake()
        })
        holds.set(hold, handling)
      }
      return taken.length
    } catch (error) {
      if (!(error instanceof ConnectionLost)) trouble = error
      return 0
    }
  }
  const purge = openPurge((after) => steady.run((connection) => purgeNext(connection, after, keepMs ?? 0), stop))
  /** Deletes some old events and returns whether there may be more. Never throws. */
  const purgeSome = async () => {
    try {
      return keepMs !== null && (await purge())
    } catch (error) {
      if (!(error instanceof ConnectionLost)) trouble = error
      return false
    }
  }
  const renewing = renewEach(leaseMs, steady, holds)
  working.onStarted()
  const stopped = () => wake()
  try {
    stop.addEventListener('abort', stopped)
    for (let looks = 0; !stop.aborted && trouble === null && begun < most; ) {
      const free = Math.min(concurrency - holds.size, most - begun)
      if (free === 0) {
        await untilWoken(null)
        continue
      }
      const taken = await take(free)
      looks = taken === 0 ? looks + 1 : 0
      const isPurging = await purgeSome()
      if (taken > 0 || isPurging || stop.aborted || trouble !== null) continue
      if (untilEmpty && holds.size === 0) break
      await untilWoken(Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(looks - 1, 8)))
    }
    stop.removeEventListener('abort', stopped)
    while (holds.size > 0) await Promise.all(holds.values())
    if (trouble !== null) throw trouble
  } finally {
    clearInterval(renewing)
    await steady.close()
  }
}

const TAKEN_OVER = 'another worker took it over'

function renewEach(
  leaseMs: number,
  steady: ReconnectingConnection,
  held: ReadonlyMap<TrackedLease, unknown>,
): NodeJS.Timeout {
  let isRenewing = false
  const renew = async () => {
    if (isRenewing || held.size === 0) return
    isRenewing = true
    try {
      const holds = [...held.keys()]
      const leases = holds.map(({ leased }) => leased)
      const askedAt = monotonicMs()
      const ours = await renewLeases(await steady.get(), leases, leaseMs)
      for (const hold of holds) {
        if (ours.has(hold.leased.id)) hold.renewed(askedAt)
        else if (held.has(hold)) hold.lose(TAKEN_OVER)
      }
    } catch {
      // The next round tries again, unless the lease has been lost by then.
    } finally {
      isRenewing = false
    }
  }
  return setInterval(() => void renew(), leaseMs / 4)
}

/**
 * The fraction of a lease after which its handler must stop if the lease has not been renewed. The rest of the lease
 * gives the handler time to finish.
 */
const GIVE_UP_AT = 0.75

type TrackedLease = ReturnType<typeof trackLease>

/**
 * Tracks the lease on one event. Before another worker can take over the event, aborts `signal` with a readable reason.
 */
function trackLease(leased: LeasedEvent, leaseMs: number, askedAt: number) {
  const lost = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  const lose = (why: string) => {
    end()
    lost.abort(why)
  }
  /** Restarts the timer. `at` is when the lease was renewed, on the `monotonicMs` clock. */
  const renewed = (at: number) => {
    end()
    const ms = at + leaseMs * GIVE_UP_AT - monotonicMs()
    timer = setTimeout(() => lose('its lease could not be renewed'), Math.max(0, ms))
  }
  renewed(askedAt)
  return { leased, signal: lost.signal, renewed, lose, end }
}
