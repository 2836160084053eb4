import type { Intent } from '../../money/operations/operation.ts'
import type { OperationStore } from '../../money/operations/store.ts'
import { dataDirectory } from '../../storage/directories.ts'
import type { Host } from './host.ts'
import type { Progress } from './progress.ts'

/** The record of money writes, opened when first needed. */
export class Operations {
  readonly #host: Host
  readonly #progress: Progress

  constructor(host: Host, progress: Progress) {
    this.#host = host
    this.#progress = progress
  }

  /** Fails: INTERNAL when it cannot be used. */
  async open(): Promise<OperationStore> {
    const { OperationStore } = await import('../../money/operations/store.ts')
    this.#progress.store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(this.#host.env)))
    return this.#progress.store
  }

  /** Fails: OUTCOME_UNKNOWN when the same write is open; INTERNAL. */
  async refuseIfOpen(intent: Intent): Promise<void> {
    const [store, { alreadyOpen }, { momentHere }] = await Promise.all([
      this.open(),
      import('../../money/operations/already-open.ts'),
      import('../../money/operations/moment.ts'),
    ])
    const now = momentHere()
    const open = store.openLike(intent, now)
    if (open) throw alreadyOpen(open, now)
  }
}
