const SOON_MS = 20

/**
 * Keeps work until the end of this turn of the event loop, and then commits all of it at once: one wait for the disk.
 */
export class CommitQueue {
  readonly #commit: (work: () => void) => void
  readonly #apart: <T>(work: () => T) => T
  #turn: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: { readonly work: () => () => void; readonly reject: (error: unknown) => void }[] = []

  /**
   * @param commit runs all work and makes it durable; if that fails, it undoes all of it and throws.
   * @param apart runs one piece of work, and undoes only that if it throws. Fails: as the work; {@link NotUndone}.
   */
  constructor(commit: (work: () => void) => void, apart: <T>(work: () => T) => T = (work) => work()) {
    this.#commit = commit
    this.#apart = apart
  }

  /** As {@link run}, but waits up to 20 milliseconds for other work to share a commit with. */
  runSoon<T>(work: () => T): Promise<T> {
    const done = this.#add(work)
    this.#timer ??= setTimeout(() => this.#flush(), SOON_MS)
    return done
  }

  /** Resolves with the result of `work` once it is durable. Fails: as `work`, or as the commit. */
  run<T>(work: () => T): Promise<T> {
    const done = this.#add(work)
    this.#turn ??= setImmediate(() => this.#flush())
    return done
  }

  #add<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const settleLater = () => {
      const value = this.#apart(work)
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
 * A piece of work failed and could not be undone by itself, so nothing else can be committed with it. `cause`: why it
 * failed.
 */
export class NotUndone extends Error {}
