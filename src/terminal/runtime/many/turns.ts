/** Lets so many do their work at the same time; the others wait, and whoever has waited longest is next. */
export class Turns {
  #free: number
  readonly #lent: ((giveBack: () => void) => () => void) | null
  readonly #waiting: (() => void)[] = []

  /**
   * @param jobs how many at the same time.
   * @param lend is told the start of each piece of work, and calls back when that has lasted so long that the next may begin beside it;
   * it returns what ends its waiting. Null: nobody begins before another has ended.
   */
  constructor(jobs: number, lend: ((giveBack: () => void) => () => void) | null = null) {
    this.#free = jobs
    this.#lent = lend
  }

  /** Does the work when its turn comes. Fails: as the work; with the signal's reason while it waits. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal)
    let isBack = false
    const giveBack = () => {
      if (isBack) return
      isBack = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
    const end = this.#lent?.(giveBack)
    try {
      return await work()
    } finally {
      end?.()
      giveBack()
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.push(begin)
    })
  }
}

/** How long a venue may read before the next one begins beside it, where the command never ends: one may hang. Milliseconds. */
const LENT_AFTER_MS = 10_000

/** Lends a turn on after some seconds. */
export function lendLater(giveBack: () => void): () => void {
  const timer = setTimeout(giveBack, LENT_AFTER_MS).unref()
  return () => clearTimeout(timer)
}
