import { Interrupted } from '../../base/failure/interrupted.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type SignalAnswer = (signal: NodeJS.Signals) => void

/** The time that a command has to end after a signal. */
const LIMIT_MS = 5000

/** The limit after a second signal: long enough to report the outcome of a write. */
const LIMIT_AGAIN_MS = 400

/** Calls `answer` on each signal that asks the process to stop. Returns a function that removes the listeners. */
export function onSignals(answer: SignalAnswer): () => void {
  return onEvents(SIGNALS, answer)
}

function onEvents<A>(names: readonly string[], listener: (about: A) => void): () => void {
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

const RAN_DRY = 'no work was pending, but the command had not ended'

/** Removes the listeners of an earlier run in this process. The build runs several commands in one process. */
let endEarlier: () => void = () => {}

/** Ends a run early. A signal asks it to stop. A run that does not stop, hangs or has an uncaught error is abandoned. */
export class Stopping {
  readonly #asked = new AbortController()
  readonly #givenUp = new AbortController()
  /** Aborted with `Interrupted` if the command must stop. */
  readonly asked = this.#asked.signal
  readonly givenUp = this.#givenUp.signal
  answer: SignalAnswer = (signal) => this.stop(signal === 'SIGINT' && process.stdin.isTTY ? 'Ctrl-C' : signal)

  constructor() {
    endEarlier()
    const ends = [
      onSignals((signal) => this.answer(signal)),
      onEvents(['beforeExit'], () => this.#giveUp(new Error(RAN_DRY))),
      onEvents(['uncaughtException'], (error: Error) => this.#giveUp(error)),
    ]
    endEarlier = () => {
      for (const end of ends) end()
    }
  }

  /** Waits for work, until the command is abandoned. Fails: as the work; with the reason for abandoning it. */
  async unlessGivenUp<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#givenUp
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, givenUp])
  }

  /** Asks the command to stop, and abandons it after a time limit, which is short for the second call. */
  stop(by: string): void {
    const isAgain = this.#asked.signal.aborted
    this.#asked.abort(new Interrupted(by))
    // One Ctrl-C may arrive twice, from the terminal and from the launcher, so there must be time to print messages.
    setTimeout(() => this.#giveUp(null), isAgain ? LIMIT_AGAIN_MS : LIMIT_MS).unref()
  }

  #giveUp(error: Error | null): void {
    const { aborted, reason } = this.#asked.signal
    // Once a command is stopping, its errors (for example because its terminal is gone) are not reported.
    this.#givenUp.abort(aborted ? reason : error)
  }
}
