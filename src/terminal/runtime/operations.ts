import { dataDirectory } from '../../base/storage/directories.ts'
import type { Session } from '../../client/session.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import type { Intent } from '../../money/operations/operation.ts'
import type { OperationStore } from '../../money/operations/store.ts'
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

  /** Opens the record. Fails: INTERNAL when it cannot be used. */
  async open(): Promise<OperationStore> {
    const { OperationStore } = await import('../../money/operations/store.ts')
    this.#progress.store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(this.#host.env)))
    return this.#progress.store
  }

  /** Opens what money writes are made with. `force` allows a write even while the same one is open. Fails: INTERNAL. */
  async openDesk(session: Session, purpose: 'writing' | 'reading', force: boolean): Promise<MoneyDesk> {
    const { momentHere } = await import('../../money/operations/moment.ts')
    return {
      clock: momentHere,
      // A rate limit must not delay finding out what became of money.
      caller: purpose === 'reading' ? { ...session.caller, pacing: 'ignore' } : session.caller,
      inbound: session.signing,
      store: await this.open(),
      service: session.service,
      force,
    }
  }

  /**
   * Refuses a write while the same one is open. Returns what to say when others on its card or sale are; null when none is.
   * Times are told in the venue's `zone`; null: UTC.
   * Fails: OUTCOME_UNKNOWN; INTERNAL.
   */
  async refuseIfOpen(intent: Intent, zone: string | null): Promise<string | null> {
    const [store, { alreadyOpen, othersOpen }, { momentHere }] = await Promise.all([
      this.open(),
      import('../../money/operations/already-open.ts'),
      import('../../money/operations/moment.ts'),
    ])
    const now = momentHere()
    const open = store.openLike(intent, now)
    if (open) throw alreadyOpen(open, now, zone)
    return othersOpen(store.list(), intent, now, zone)
  }
}
