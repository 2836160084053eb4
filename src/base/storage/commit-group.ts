const SOON_MS = 20

/** Runs the work of one turn of the event loop together, so that many share one wait for the disk. */
export class CommitGroup {
  readonly #commit: (work: () => void) => void
  readonly #apart: <T>(work: () => T) => T
  #turn: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: { readonly work: () => () => void; readonly reject: (error: unknown) => void }[] = []

  /**
   * @param commit runs work and makes it durable, or undoes all of it and throws.
   * @param apart runs one work, and undoes only that if it throws; throws on its own if it cannot.
   */
  constructor(commit: (work: () => void) => void, apart: <T>(work: () => T) => T = (work) => work()) {
    this.#commit = commit
    this.#apart = apart
  }

  /** As {@link run}, with the work of others if there is any soon. */
  runSoon<T>(work: () => T): Promise<T> {
    const done = this.#add(work)
    this.#timer ??= setTimeout(() => this.#flush(), SOON_MS)
    return done
  }

  /** Resolves with the result once it is durable. Fails: as `work`, or as the commit. */
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

/** Work failed and could not be undone by itself, so that the others of its group cannot be committed. */
export class NotUndone extends Error {}
