import { Interrupted } from '../../base/failure/interrupted.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is done about a signal. */
export type SignalAnswer = (signal: NodeJS.Signals) => void

const LIMIT_MS = 5000

/** How long it may take when it is told again: enough to say what became of a write. Milliseconds. */
const LIMIT_AGAIN_MS = 400

/** Calls `answer` on each signal that asks to stop; returns a function that ends this. */
export function onSignals(answer: SignalAnswer): () => void {
  return onEvents(SIGNALS, answer)
}

function onEvents<A>(names: readonly string[], listener: (about: A) => void): () => void {
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

const RAN_DRY = 'nothing was left to wait for, and the command had not ended'

/** Removes the listeners of an earlier run in this process; the build makes several runs. */
let endEarlier: () => void = () => {}

/** What may end a run early: a signal asks it to stop. It is given up if it does not, if nothing can wake it, and on an uncaught error. */
export class Stopping {
  readonly #asked = new AbortController()
  readonly #givenUp = new AbortController()
  /** Aborted with `Interrupted` when the command is to stop. */
  readonly asked = this.#asked.signal
  /** Aborted when the command is waited for no longer. */
  readonly givenUp = this.#givenUp.signal
  /** What is done about a signal. */
  answer: SignalAnswer = (signal) => this.stop(signal === 'SIGINT' && process.stdin.isTTY ? 'Ctrl-C' : signal)

  /** Answers signals from now to the end of the process. */
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

  /** Waits for a piece of work, unless the command is given up. Fails: as the work; with what made us give up. */
  async unlessGivenUp<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#givenUp
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, givenUp])
  }

  /** Asks the command to stop; when asked a second time, it is given up soon. */
  stop(by: string): void {
    const isAgain = this.#asked.signal.aborted
    this.#asked.abort(new Interrupted(by))
    // One Ctrl-C may come twice, from the terminal and from whoever started us: what is being said must still get out.
    setTimeout(() => this.#giveUp(null), isAgain ? LIMIT_AGAIN_MS : LIMIT_MS).unref()
  }

  #giveUp(error: Error | null): void {
    const { aborted, reason } = this.#asked.signal
    // What goes wrong in a command that is to stop, as with a terminal that is gone, is no news.
    this.#givenUp.abort(aborted ? reason : error)
  }
}
