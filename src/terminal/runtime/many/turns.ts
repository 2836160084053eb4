/** Limits how many pieces of work run at the same time. The one that waited longest is next. */
export class Turns {
  #free: number
  readonly #lent: ((giveBack: () => void) => () => void) | null
  readonly #waiting: (() => void)[] = []

  /**
   * `lend` is called at each start, and calls back when the work took so long that the next may begin; it returns a
   * function that stops its timer. Null: nothing begins before other work has ended.
   */
  constructor(jobs: number, lend: ((giveBack: () => void) => () => void) | null = null) {
    this.#free = jobs
    this.#lent = lend
  }

  /** Runs work when its turn comes. Fails: as the work; with the signal's reason while it waits. */
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

/** When the next venue may begin next to a slow one, if the command never ends. */
const LENT_AFTER_MS = 10_000

export function lendLater(giveBack: () => void): () => void {
  const timer = setTimeout(giveBack, LENT_AFTER_MS).unref()
  return () => clearTimeout(timer)
}
