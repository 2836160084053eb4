import { Interrupted } from '../../failure/interrupted.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is done about a signal. */
export type SignalAnswer = (signal: NodeJS.Signals) => void

/** How long a command that was asked to stop may take over it. Milliseconds. */
const LIMIT_MS = 5000

/** How long it still has once it was told again: enough to say what became of a write. Milliseconds. */
const LIMIT_AGAIN_MS = 400

/** Calls `answer` on each signal that asks to stop, beside whatever else does; gives the function that ends this. */
export function onSignals(answer: SignalAnswer): () => void {
  for (const signal of SIGNALS) process.on(signal, answer)
  return () => {
    for (const signal of SIGNALS) process.off(signal, answer)
  }
}

/**
 * What may end a run before its work is done. A signal asks the command to stop, which then says by itself how far it came.
 * It is given up when it does not, when nothing is left that could ever wake it, and on an error that nobody caught.
 */
export class Stopping {
  readonly #asked = new AbortController()
  readonly #givenUp = new AbortController()
  #answer: SignalAnswer = (signal) => this.#stop(signal)

  /** From here to the end of the process signals are answered here. */
  constructor() {
    // One run at a time: the build makes several in one process.
    for (const event of [...SIGNALS, 'beforeExit', 'uncaughtException']) process.removeAllListeners(event)
    onSignals((signal) => this.#answer(signal))
    process.on('beforeExit', () =>
      this.#giveUp(new Error('nothing was left to wait for, and the command had not ended')),
    )
    // A command that is ending by itself, as when its terminal is gone, comes first.
    process.on('uncaughtException', (error) => setImmediate(() => this.#giveUp(error)))
  }

  /** Aborted with `Interrupted` when the command is to stop. */
  get asked(): AbortSignal {
    return this.#asked.signal
  }

  /** Aborted when the command is waited for no longer. */
  get givenUp(): AbortSignal {
    return this.#givenUp.signal
  }

  /** Has signals answered otherwise from now on. */
  answerWith(answer: SignalAnswer): void {
    this.#answer = answer
  }

  /** Waits for a piece of work, unless the command is given up. Fails: as the work; with what made us give up. */
  async unlessGivenUp<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#givenUp
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([work, givenUp])
  }

  #stop(signal: NodeJS.Signals): void {
    const isAgain = this.#asked.signal.aborted
    this.#asked.abort(new Interrupted(signal))
    // One Ctrl-C may come twice, from the terminal and from whoever started us: what is being said must still get out.
    setTimeout(() => this.#giveUp(null), isAgain ? LIMIT_AGAIN_MS : LIMIT_MS).unref()
  }

  #giveUp(error: Error | null): void {
    const { aborted, reason } = this.#asked.signal
    this.#givenUp.abort(aborted ? reason : error)
  }
}
