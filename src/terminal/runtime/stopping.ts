import { Interrupted } from '../../base/failure/interrupted.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type SignalAnswer = (signal: NodeJS.Signals) => void

const LIMIT_MS = 5000

/** The limit after a second signal: enough to say what became of a write. */
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

/** Ends a run early: asked by a signal, or abandoned if it does not end, hangs, or on an uncaught error. */
export class Stopping {
  readonly #asked = new AbortController()
  readonly #givenUp = new AbortController()
  /** Aborted with `Interrupted` when the command must stop. */
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

  /** Waits for work unless the command is abandoned. Fails: as the work; with the reason. */
  async unlessGivenUp<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#givenUp
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, givenUp])
  }

  /** Asks the command to stop; the second time, it is soon abandoned. */
  stop(by: string): void {
    const isAgain = this.#asked.signal.aborted
    this.#asked.abort(new Interrupted(by))
    // One Ctrl-C may arrive twice, from the terminal and from our launcher: messages must still get out.
    setTimeout(() => this.#giveUp(null), isAgain ? LIMIT_AGAIN_MS : LIMIT_MS).unref()
  }

  #giveUp(error: Error | null): void {
    const { aborted, reason } = this.#asked.signal
    // Errors of a command that is stopping, for example because its terminal is gone, are not news.
    this.#givenUp.abort(aborted ? reason : error)
  }
}
