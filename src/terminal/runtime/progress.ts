import type { OperationStore } from '../../money/operations/store.ts'

/** How far a run has got with a change, which decides what an error means for it. */
export class Progress {
  #isWriting = false
  #hasWritten = false
  #hasAsked = false
  #isMeant = false
  #hasBegun = false
  /** The record of money writes, once it is open. */
  store: OperationStore | null = null

  /** A request is about to leave, whatever it is. */
  readonly beginRequest = (): void => {
    this.#hasAsked = true
  }

  /** True once a request has begun to leave. */
  get hasAsked(): boolean {
    return this.#hasAsked
  }

  /** The command is to change something. */
  readonly meanWrite = (): void => {
    this.#isMeant = true
  }

  /** True when the command is to change something and no request for that has ever been about to leave. */
  get isUnsent(): boolean {
    return this.#isMeant && !this.#hasBegun && !this.hasWritten
  }

  /** A request that may change something is about to leave. */
  readonly beginWrite = (): void => {
    this.#isWriting = true
    this.#hasBegun = true
  }

  /** Its answer has come. */
  readonly endWrite = (): void => {
    this.#isWriting = false
    this.#hasWritten = true
  }

  /** True while it is not known whether a request that has left changed anything. */
  get isWriting(): boolean {
    return this.#isWriting && this.undelivered === null
  }

  /** True once something was changed. */
  get hasWritten(): boolean {
    return this.#hasWritten || this.undelivered !== null
  }

  /** The write of money that was done and whose answer is yet to be delivered; null when there is none. */
  get undelivered(): string | null {
    return this.store?.undelivered[0] ?? null
  }
}
