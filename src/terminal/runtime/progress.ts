import { dataDirectory, type Variables } from '../../base/storage/directories.ts'
import type { Ledger } from '../../money/ledger/ledger.ts'
import type { Intent } from '../../money/operations/operation.ts'
import type { OperationStore } from '../../money/operations/store.ts'
import type { Host } from './host.ts'

/** How far a change has progressed. This determines what an error means for the outcome of the change. */
export class Progress {
  hasSentRequest = false
  intendsWrite = false
  store: OperationStore | null = null
  ledger: Ledger | null = null
  #isWriting = false
  #hasBegun = false
  #hasWritten = false

  /** Opens the local record of money writes. Throws INTERNAL if it cannot be used. */
  async openStore(env: Variables): Promise<OperationStore> {
    const { OperationStore } = await import('../../money/operations/store.ts')
    this.store ??= OperationStore.open(OperationStore.pathIn(dataDirectory(env)))
    return this.store
  }

  /**
   * Opens the ledger at a PostgreSQL URL, without connecting to it. Throws USAGE if the URL is invalid, or INTERNAL if
   * the local record cannot be used.
   */
  async openLedger({ env, signal }: Pick<Host, 'env' | 'signal'>, url: string): Promise<Ledger> {
    const { Ledger } = await import('../../money/ledger/ledger.ts')
    const { parseAddress } = await import('../../postgres/address.ts')
    const parts = { address: parseAddress(url, env, '--ledger'), dataDirectory: dataDirectory(env), signal }
    const { getCurrentMoment } = await import('../../money/operations/moment.ts')
    this.ledger ??= new Ledger({ ...parts, store: await this.openStore(env), clock: getCurrentMoment })
    return this.ledger
  }

  /**
   * Throws OUTCOME_UNKNOWN if the outcome of an identical money write is still unknown. Returns a warning about similar
   * writes, or `null`. `ledger` is the URL of the ledger, or `null` if there is none. Reads the ledger if a write is
   * open on this machine, because another machine may have determined its outcome. With `asksFirst`, always reads it.
   */
  async refuseIfOpen(
    host: Pick<Host, 'env' | 'signal'>,
    intent: Intent,
    { zone, ledger, asksFirst }: Readonly<{ zone: string | null; ledger: string | null; asksFirst: boolean }>,
  ): Promise<string | null> {
    const { alreadyOpen, describeOtherOpenWrites } = await import('../../money/operations/already-open.ts')
    const { findOpenWrite } = await import('../../money/ledger/open-write.ts')
    const { getCurrentMoment } = await import('../../money/operations/moment.ts')
    const store = await this.openStore(host.env)
    const openLedger = async () => (ledger === null ? null : this.openLedger(host, ledger))
    if (asksFirst) await (await openLedger())?.refresh(intent.service, intent.target, null)
    const open = await findOpenWrite(store, intent, getCurrentMoment, openLedger)
    const now = getCurrentMoment()
    if (open) throw alreadyOpen(open, now, zone)
    return describeOtherOpenWrites(store.historyOf(intent.service, intent.target).reverse(), intent, now, zone)
  }

  readonly beginWrite = (): void => {
    this.#isWriting = true
    this.#hasBegun = true
  }

  readonly endWrite = (): void => {
    this.#isWriting = false
    this.#hasWritten = true
  }

  /** Whether the command is going to make a change but has not begun to send it. */
  get isUnsent(): boolean {
    return this.intendsWrite && !this.#hasBegun && !this.hasWritten
  }

  /** Whether a change was sent and its outcome is not known yet. */
  get isWriting(): boolean {
    return this.#isWriting && this.undelivered === null
  }

  get hasWritten(): boolean {
    return this.#hasWritten || this.undelivered !== null
  }

  /** The ID of a money write whose response has not been printed yet, or `null` if there is none. */
  get undelivered(): string | null {
    return this.store?.undelivered[0] ?? null
  }
}
