import { monotonicMs } from '../../base/stopwatch.ts'
import { LONGEST_TIMER_MS } from '../../base/time/units.ts'

/**
 * Why a run started: because it was due, because of new events, or to look again for announced changes that an earlier
 * run did not find. `isRegular` is true if the run was due even without events.
 */
export type Cause = {
  readonly why: 'time' | 'events' | 'again'
  readonly events: number
  readonly isRegular: boolean
}

const ON_TIME: Cause = { why: 'time', events: 0, isRegular: true }

/** An event that announces a change. `subject` is the changed record's ID, or `null` if it is unknown. */
export interface WakeEvent {
  readonly subject: string | null
}

interface Waiting {
  events: number
  readonly subjects: Set<string>
  /** When the first waiting event arrived, on the monotonic clock, or `Infinity` if no events are waiting. */
  sinceMs: number
}

/** How long, in milliseconds, to wait for more events after the first one, so that a burst causes a single run. */
const GATHER_MS = 200
/** The shortest pause, in milliseconds, between two runs. */
const SHORTEST_PAUSE_MS = 500
/** How long, in milliseconds, to wait before looking again for announced changes that a run did not find. */
const LOOK_AGAIN_MS = 2000
/** The wait, in milliseconds, after the first failure. It doubles with each further failure. */
const RETRY_MS = 5000

/**
 * Decides when events start a run. Events that arrive during a run start another run after it. If a run finds fewer
 * changes than the events announced, one more run follows, because the service may send an event before its list
 * contains the change. Times are on the monotonic clock.
 */
export class Wakes {
  #waiting = none()
  /** The cause of the current run. `ON_TIME` between runs and before a run starts reading. */
  #cause = ON_TIME
  /** The events that most recently started a run. They also count as the cause of a run that looks again. */
  #taken = none()
  /** The number of records that events have announced but that no run has found yet. */
  #missing = 0
  #lookAgainAtMs = Number.POSITIVE_INFINITY
  #notBeforeMs = 0
  /** When the next regular run is due, or `Infinity` until `wait` sets the time. */
  #regularAtMs = 0
  #failures = 0
  #endWait = () => {}

  /** Adds events that have just arrived. */
  add(events: readonly WakeEvent[]): void {
    this.#merge(events.length, events, monotonicMs())
    this.#endWait()
  }

  /** Starts a run and returns its cause. Events that arrive from now on start another run. */
  begin(): Cause {
    const { events } = this.#waiting
    const isRegular = monotonicMs() >= this.#regularAtMs
    if (isRegular) this.#regularAtMs = Number.POSITIVE_INFINITY
    const why = events > 0 ? 'events' : monotonicMs() >= this.#lookAgainAtMs ? 'again' : 'time'
    if (why === 'events') {
      this.#taken = this.#waiting
      this.#waiting = none()
      this.#missing += this.#taken.subjects.size
    }
    this.#lookAgainAtMs = Number.POSITIVE_INFINITY
    this.#cause = why === 'time' ? ON_TIME : { why, events: this.#taken.events, isRegular }
    return this.#cause
  }

  /**
   * Ends a successful run. `found` is the number of new and changed records. The next run starts at least `pauseMs`
   * milliseconds from now.
   */
  succeed(found: number, pauseMs: number): void {
    const now = monotonicMs()
    this.#failures = 0
    this.#missing = this.#cause.why === 'events' ? Math.max(0, this.#missing - found) : 0
    if (this.#missing > 0) this.#lookAgainAtMs = now + Math.max(LOOK_AGAIN_MS, pauseMs)
    this.#notBeforeMs = now + Math.max(SHORTEST_PAUSE_MS, pauseMs)
    this.#cause = ON_TIME
  }

  /**
   * Ends a failed run. Keeps the events that started it for the next run. Returns how many milliseconds to wait before
   * that run, at most `waitMs`.
   */
  fail(waitMs: number): number {
    const now = monotonicMs()
    const retryMs = Math.min(waitMs, RETRY_MS * 2 ** Math.min(this.#failures, 20))
    this.#failures += 1
    this.#notBeforeMs = now + retryMs
    this.#regularAtMs = Number.POSITIVE_INFINITY
    if (this.#cause.why !== 'time') {
      this.#missing = 0
      const subjects = [...this.#taken.subjects].map((subject) => ({ subject }))
      this.#merge(Math.max(1, this.#taken.events), subjects, this.#taken.sinceMs)
    }
    this.#cause = ON_TIME
    return this.#waiting.events > 0 ? retryMs : waitMs
  }

  /**
   * Waits at most `ms` milliseconds for events to start a run. Runs started by events do not postpone the next regular
   * run. If the signal is aborted, throws its reason.
   */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const endMs = Math.min(monotonicMs() + ms, Math.max(this.#regularAtMs, this.#notBeforeMs))
    this.#regularAtMs = endMs
    for (;;) {
      signal.throwIfAborted()
      const leftMs = Math.min(endMs, this.#dueMs()) - monotonicMs()
      if (leftMs <= 0) return
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, Math.min(leftMs, LONGEST_TIMER_MS))
        signal.addEventListener('abort', end, { once: true })
        this.#endWait = end
      })
    }
  }

  /** Returns when the next run caused by events is due, or `Infinity` if there is none. */
  #dueMs(): number {
    const gatheredMs = this.#waiting.sinceMs + GATHER_MS
    return Math.max(this.#notBeforeMs, Math.min(gatheredMs, this.#lookAgainAtMs))
  }

  #merge(count: number, events: readonly WakeEvent[], sinceMs: number): void {
    const { subjects } = this.#waiting
    for (const { subject } of events) if (subject !== null) subjects.add(subject)
    this.#waiting.events += count
    if (count > 0) this.#waiting.sinceMs = Math.min(this.#waiting.sinceMs, sinceMs)
  }
}

function none(): Waiting {
  return { events: 0, subjects: new Set(), sinceMs: Number.POSITIVE_INFINITY }
}
