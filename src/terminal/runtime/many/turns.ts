/** Limits how many tasks run at the same time. The task that has waited longest starts next. */
export class Turns {
  #free: number
  readonly #lend: ((giveBack: () => void) => () => void) | null
  readonly #waiting: (() => void)[] = []

  /**
   * `lend` is called when a task starts and returns a function that is called when the task ends. It may call
   * `giveBack` to let another task start before this one ends.
   */
  constructor(jobs: number, lend: ((giveBack: () => void) => () => void) | null = null) {
    this.#free = jobs
    this.#lend = lend
  }

  /**
   * Waits for a turn, then runs a task. Throws the signal's reason if the signal is aborted during the wait, or the
   * task's error.
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

/**
 * How long, in milliseconds, a venue may hold its turn in a command that schedules the turns itself. After that, the
 * next venue may start, even if this one has not finished.
 */
const RELEASE_AFTER_MS = 10_000

/** Calls `giveBack` after a task has run for a long time. Returns a function that stops the timer. */
export function releaseAfterDelay(giveBack: () => void): () => void {
  const timer = setTimeout(giveBack, RELEASE_AFTER_MS).unref()
  return () => clearTimeout(timer)
}
