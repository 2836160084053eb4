import { Interrupted } from '../../base/failure/interrupted.ts'
import { monotonicMs } from '../../base/stopwatch.ts'

/** Windows reports Ctrl-Break as SIGBREAK, and a closed console window as SIGHUP. It has no SIGTERM. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

export type SignalHandler = (signal: NodeJS.Signals) => void

/** How long a command may take to end after a signal. */
const STOP_LIMIT_MS = 5000

/** How long a command may take to end after a second signal. This is enough to report the outcome of a write. */
const SECOND_STOP_LIMIT_MS = 400

/** The minimum time for a stopped command's final pings and traces, even if stopping used up the whole limit. */
const LAST_WORDS_MS = 1000

/**
 * How long work in progress may take after the console window is closed. Windows kills the process about five seconds
 * after that.
 */
const CLOSING_LIMIT_MS = 3000

/** Calls `answer` for each signal that asks the process to stop. Returns a function that removes the listeners. */
export function onSignals(answer: SignalHandler): () => void {
  return onEvents(SIGNALS, answer)
}

/** Returns a signal's name, as shown in messages. */
export function describeSignal(signal: NodeJS.Signals): string {
  if (signal === 'SIGBREAK') return 'Ctrl-Break'
  return signal === 'SIGINT' && process.stdin.isTTY ? 'Ctrl-C' : signal
}

function onEvents<A>(names: readonly string[], listener: (about: A) => void): () => void {
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

const NO_PENDING_WORK = 'no work was pending, but the command had not ended'

/** Removes the listeners of the previous run in this process. The build runs several commands in one process. */
let endEarlier: () => void = () => {}

/**
 * Ends a run early. A signal asks the command to stop. The command is abandoned if it does not stop, hangs, or causes
 * an uncaught error.
 */
export class Stopping {
  readonly #stopRequested = new AbortController()
  readonly #abandoned = new AbortController()
  /** Aborted with `Interrupted` when the command must stop. */
  readonly stopRequested = this.#stopRequested.signal
  readonly abandoned = this.#abandoned.signal
  #stopByMs: number | null = null
  answer: SignalHandler = (signal) => this.stop(describeSignal(signal))

  constructor() {
    endEarlier()
    const ends = [
      onSignals((signal) => {
        const isClosing = signal === 'SIGHUP' && process.platform === 'win32'
        const firstLimitMs = isClosing ? CLOSING_LIMIT_MS : STOP_LIMIT_MS
        const limitMs = this.#stopByMs === null ? firstLimitMs : SECOND_STOP_LIMIT_MS
        this.#stopByMs = Math.min(this.#stopByMs ?? Number.POSITIVE_INFINITY, monotonicMs() + limitMs)
        this.answer(signal)
        if (isClosing) setTimeout(() => this.stop(signal, SECOND_STOP_LIMIT_MS), CLOSING_LIMIT_MS).unref()
      }),
      onEvents(['beforeExit'], () => this.#abandon(new Error(NO_PENDING_WORK))),
      onEvents(['uncaughtException'], (error: Error) => this.#abandon(error)),
    ]
    endEarlier = () => {
      for (const end of ends) end()
    }
  }

  /**
   * Waits until the work ends or the command is abandoned. Throws the work's error, or the reason for abandoning the
   * command.
   */
  async untilAbandoned<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#abandoned
    const abandoned = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, abandoned])
  }

  /** How many milliseconds the process has left, or `null` if no signal has arrived. */
  get remainingMs(): number | null {
    return this.#stopByMs === null ? null : Math.max(LAST_WORDS_MS, this.#stopByMs - monotonicMs())
  }

  /** Asks the command to stop and abandons it after a time limit. The limit is shorter from the second call on. */
  stop(by: string, limitMs = this.#stopRequested.signal.aborted ? SECOND_STOP_LIMIT_MS : STOP_LIMIT_MS): void {
    this.#stopRequested.abort(new Interrupted(by))
    // A single Ctrl-C may arrive twice, from the terminal and from the launcher. Even the short limit must therefore
    // leave time for messages.
    setTimeout(() => this.#abandon(null), limitMs).unref()
  }

  #abandon(error: Error | null): void {
    const { aborted, reason } = this.#stopRequested.signal
    // Once the command is stopping, do not report its errors, because the stop may have caused them. For example, the
    // terminal may be gone.
    this.#abandoned.abort(aborted ? reason : error)
  }
}
