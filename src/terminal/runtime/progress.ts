import { dataDirectory, type Variables } from '../../base/storage/directories.ts'
import type { Intent } from '../../money/operations/operation.ts'
import type { OperationStore } from '../../money/operations/store.ts'

/** How far a run has got with a change, which decides what an error means for it. */
export class Progress {
  hasAsked = false
  meansWrite = false
  store: OperationStore | null = null
  #isWriting = false
  #hasBegun = false
  #hasWritten = false

  /** Opens the record of money writes. Fails: INTERNAL when it cannot be used. */
  async openStore(env: Variables): Promise<OperationStore> {
    const { OperationStore } = await import('../../money/operations/store.ts')
    this.store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(env)))
    return this.store
  }

  /** Refuses a money write while the same one is open. Returns a warning of others on its card or sale. Fails: OUTCOME_UNKNOWN; INTERNAL. */
  async refuseIfOpen(env: Variables, intent: Intent, zone: string | null): Promise<string | null> {
    const { alreadyOpen, othersOpen } = await import('../../money/operations/already-open.ts')
    const { momentHere } = await import('../../money/operations/moment.ts')
    const store = await this.openStore(env)
    const now = momentHere()
    const open = store.openLike(intent, now)
    if (open) throw alreadyOpen(open, now, zone)
    return othersOpen(store.list(), intent, now, zone)
  }

  /** Called before a request that may change something leaves. */
  readonly beginWrite = (): void => {
    this.#isWriting = true
    this.#hasBegun = true
  }

  /** Called when the answer to such a request has arrived. */
  readonly endWrite = (): void => {
    this.#isWriting = false
    this.#hasWritten = true
  }

  /** True if the command is to change something, and no request for that has begun to leave. */
  get isUnsent(): boolean {
    return this.meansWrite && !this.#hasBegun && !this.hasWritten
  }

  /** True while it is not known whether a request that has left changed anything. */
  get isWriting(): boolean {
    return this.#isWriting && this.undelivered === null
  }

  /** True once something was changed. */
  get hasWritten(): boolean {
    return this.#hasWritten || this.undelivered !== null
  }

  /** The ID of the money write that is done and whose answer is not delivered yet, or `null`. */
  get undelivered(): string | null {
    return this.store?.undelivered[0] ?? null
  }
}
