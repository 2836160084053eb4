const SOON_MS = 20

/**
 * Collects the work of one turn of the event loop and commits it together, so that the process waits for the disk only
 * once.
 */
export class CommitQueue {
  readonly #commit: (work: () => void) => void
  readonly #isolate: <T>(work: () => T) => T
  #turn: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: { readonly work: () => () => void; readonly reject: (error: unknown) => void }[] = []

  /**
   * @param commit Runs all work and makes it durable. If that fails, it undoes everything and throws.
   * @param isolate Runs one piece of work and undoes only that piece if it fails. Throws {@link NotUndone} if it cannot
   * be undone. Otherwise rethrows the error.
   */
  constructor(commit: (work: () => void) => void, isolate: <T>(work: () => T) => T = (work) => work()) {
    this.#commit = commit
    this.#isolate = isolate
  }

  /** Runs work like {@link run}, but waits up to 20 milliseconds for other work that can share the commit. */
  runSoon<T>(work: () => T): Promise<T> {
    const done = this.#add(work)
    this.#timer ??= setTimeout(() => this.#flush(), SOON_MS)
    return done
  }

  /** Resolves with the result of `work` once it is durable. Rejects if `work` or the commit throws. */
  run<T>(work: () => T): Promise<T> {
    const done = this.#add(work)
    this.#turn ??= setImmediate(() => this.#flush())
    return done
  }

  #add<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const settleLater = () => {
      const value = this.#isolate(work)
      return () => resolve(value)
    }
    this.#waiting.push({ work: settleLater, reject })
    return promise
  }

  #flush(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#turn)
    this.#timer = undefined
    this.#turn = undefined
    const all = this.#waiting
    this.#waiting = []
    const ends: (() => void)[] = []
    try {
      this.#commit(() => {
        for (const { work, reject } of all) {
          try {
            ends.push(work())
          } catch (error) {
            if (error instanceof NotUndone) throw error.cause
            ends.push(() => reject(error))
          }
        }
      })
    } catch (error) {
      for (const { reject } of all) reject(error)
      return
    }
    for (const end of ends) end()
  }
}

/**
 * Thrown if a piece of work failed and could not be undone on its own. All work in the same commit is lost. `cause` is
 * the original error.
 */
export class NotUndone extends Error {}
