import type { Failure } from '../../../base/failure/failure.ts'

/** A failure that is not told yet. */
interface Held {
  readonly failure: Failure
  readonly tell: () => Promise<void>
}

/**
 * Holds usage errors back until it is known that the command line is right for some venue: a mistake that is one for all of them is
 * told once, for the whole command.
 */
export class Announced {
  readonly #count: number
  #held: Held[] = []
  #isOpen = false

  /** @param count how many venues there are. */
  constructor(count: number) {
    this.#count = count
  }

  /** A venue has come so far that the command line is right for it: what was held back is told. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    for (const { tell } of this.#held.splice(0)) void tell()
  }

  /** Tells of a failure, now or once it is known whose it is. */
  async tell(failure: Failure, tell: () => Promise<void>): Promise<void> {
    if (failure.code !== 'USAGE') this.open()
    if (this.#isOpen) await tell()
    else this.#held.push({ failure, tell })
  }

  /** All runs are over. Fails: USAGE when all of them ended with the same mistake. */
  async settle(): Promise<void> {
    const [first] = this.#held
    const isOfAll = this.#held.length === this.#count
    if (first && isOfAll && this.#held.every(({ failure }) => failure.message === first.failure.message))
      throw first.failure
    this.#isOpen = true
    for (const { tell } of this.#held.splice(0)) await tell()
  }
}
