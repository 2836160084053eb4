/** Limits how many tasks run at the same time. The task that has waited longest runs next. */
export class Turns {
  #free: number
  readonly #lend: ((giveBack: () => void) => () => void) | null
  readonly #waiting: (() => void)[] = []

  /**
   * `lend` is called when a task starts. It calls back once the task has run so long that the next may start, and
   * returns a function that stops its timer. `null`: a task starts only after another one has ended.
   */
  constructor(jobs: number, lend: ((giveBack: () => void) => () => void) | null = null) {
    this.#free = jobs
    this.#lend = lend
  }

  /**
   * Waits for a turn and runs a task. Throws the signal's reason if aborted during the wait, or whatever the task
   * throws.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#turn(signal)
    let isBack = false
    const giveBack = () => {
      if (isBack) return
      isBack = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
    const end = this.#lend?.(giveBack)
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

/** In commands that never end, the time after which the next venue may start although a slow one has not ended. */
const RELEASE_AFTER_MS = 10_000

/** Calls `giveBack` once a task has run for a long time. Returns a function that stops the timer. */
export function releaseAfterDelay(giveBack: () => void): () => void {
  const timer = setTimeout(giveBack, RELEASE_AFTER_MS).unref()
  return () => clearTimeout(timer)
}
