import { Interrupted } from '../../base/failure/interrupted.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type SignalHandler = (signal: NodeJS.Signals) => void

/** The time that a command has to end after a signal. */
const STOP_LIMIT_MS = 5000

/** The limit after a second signal: long enough to report the outcome of a write. */
const SECOND_STOP_LIMIT_MS = 400

/** Calls `answer` on each signal that asks the process to stop. Returns a function that removes the listeners. */
export function onSignals(answer: SignalHandler): () => void {
  return onEvents(SIGNALS, answer)
}

function onEvents<A>(names: readonly string[], listener: (about: A) => void): () => void {
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

const NO_PENDING_WORK = 'no work was pending, but the command had not ended'

/** Removes the listeners of an earlier run in this process. The build runs several commands in one process. */
let endEarlier: () => void = () => {}

/** Ends a run early. A signal asks it to stop. It is abandoned if it does not stop, hangs or has an uncaught error. */
export class Stopping {
  readonly #stopRequested = new AbortController()
  readonly #abandoned = new AbortController()
  /** Aborted with `Interrupted` if the command must stop. */
  readonly stopRequested = this.#stopRequested.signal
  readonly abandoned = this.#abandoned.signal
  answer: SignalHandler = (signal) => this.stop(signal === 'SIGINT' && process.stdin.isTTY ? 'Ctrl-C' : signal)

  constructor() {
    endEarlier()
    const ends = [
      onSignals((signal) => this.answer(signal)),
      onEvents(['beforeExit'], () => this.#abandon(new Error(NO_PENDING_WORK))),
      onEvents(['uncaughtException'], (error: Error) => this.#abandon(error)),
    ]
    endEarlier = () => {
      for (const end of ends) end()
    }
  }

  /**
   * Waits for work, until the command is abandoned. Throws the reason for abandoning it, or whatever the work throws.
   */
  async untilAbandoned<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#abandoned
    const abandoned = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, abandoned])
  }

  /** Asks the command to stop, and abandons it after a time limit, which is short for the second call. */
  stop(by: string): void {
    const isAgain = this.#stopRequested.signal.aborted
    this.#stopRequested.abort(new Interrupted(by))
    // One Ctrl-C may arrive twice, from the terminal and from the launcher, so there must be time to print messages.
    setTimeout(() => this.#abandon(null), isAgain ? SECOND_STOP_LIMIT_MS : STOP_LIMIT_MS).unref()
  }

  #abandon(error: Error | null): void {
    const { aborted, reason } = this.#stopRequested.signal
    // Once a command is stopping, its errors (for example because its terminal is gone) are not reported.
    this.#abandoned.abort(aborted ? reason : error)
  }
}
