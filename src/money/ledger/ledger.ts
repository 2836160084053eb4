import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { getLiveness } from '../../base/storage/owner.ts'
import type { Address } from '../../postgres/address.ts'
import { type KeyRow, KeyTable } from '../once/keys.ts'
import { alreadyOpen, outcomeUnknown } from '../operations/already-open.ts'
import type { Moment } from '../operations/moment.ts'
import type { Operation } from '../operations/operation.ts'
import type { OperationStore } from '../operations/store.ts'
import { checkCap, type DailyCap } from '../orders/cap.ts'
import { movedToday } from './cap.ts'
import { describeLedger, LedgerChannel, unusableLedger } from './channel.ts'
import { type Found, importFound, type Looked, removeGone } from './import.ts'
import { about, aboutOperation, KEYS_OF_LISTED, LISTED, NOTHING } from './looked.ts'
import { PendingTable } from './pending.ts'
import { LEDGER, quoted } from './schema.ts'
import { ServiceNames } from './service-names.ts'
import {
  claimStatements,
  endStatements,
  type Settled,
  sendingStatement,
  settleStatements,
  takeOverStatements,
} from './statements.ts'

export interface LedgerParts {
  readonly address: Address
  readonly store: OperationStore
  /** This machine's data directory. */
  readonly dataDirectory: string
  readonly signal: AbortSignal
  readonly clock: () => Moment
}

/**
 * The shared record of the money writes of several machines. Each machine also keeps its own record of the writes that
 * it makes. Before a write is sent, one message claims it in the ledger, and another marks it as sent. After the write,
 * a third message records its outcome. If the third message fails, the next command sends it again.
 */
export class Ledger {
  readonly #parts: LedgerParts
  readonly #names: ServiceNames
  readonly pending: PendingTable
  readonly #run = randomUUID()
  readonly #touched = new Set<string>()
  /** The operations that were still open on this machine when {@link end} reported them to the ledger. */
  readonly #ended = new Set<string>()
  /** This run's keys by operation ID. They are kept here because an import can overwrite the stored rows. */
  readonly #keys = new Map<string, KeyRow>()
  readonly #channel: LedgerChannel
  /** Why the ledger could not be brought up to date; `null` if it is up to date. */
  trouble: string | null = null

  constructor(parts: LedgerParts) {
    this.#parts = parts
    this.#names = new ServiceNames(parts.dataDirectory)
    this.#channel = new LedgerChannel(parts.address, parts.signal)
    this.pending = new PendingTable(parts.store.table, describeLedger(parts.address))
  }

  /** Registers a write and its key for the ledger. Called in the transaction that claims them on this machine. */
  note({ id }: Operation): void {
    this.touch(id)
    const key = new KeyTable(this.#parts.store.table).findOperation(id)
    if (key !== null) this.#keys.set(id, key)
  }

  /**
   * Claims a write in the ledger after it was claimed on this machine, or takes it over if it was sent earlier. If this
   * throws, nothing was sent. Throws OUTCOME_UNKNOWN if another machine has an identical open write or uses the same
   * key, `OverCap` if an order exceeds the cap, or NETWORK_ERROR if the ledger cannot be reached.
   */
  async claim(operation: Operation, { force, cap }: Readonly<{ force: boolean; cap?: DailyCap }>): Promise<void> {
    const { store } = this.#parts
    const { id, service, target, phase } = operation
    const row = store.table.requireRow(id)
    const key = this.#keys.get(id) ?? null
    const name = this.#names.toLedger(service)
    const write = { row, service: name, host: hostname(), run: this.#run, key, force, cap }
    const statements = phase === 'claimed' ? claimStatements(write) : takeOverStatements(write, this.#parts.clock())
    const found = await this.#beforeSending([...this.#unfinished(id), ...statements], {
      ...about(name, target, key?.key ?? null),
      ...(cap && key ? { moved: movedToday(name, key.key, cap.zone) } : {}),
    })
    const own = found.operations.find((one) => one.id === id)
    const hasKey = key === null || found.keys.some((one) => one.operation === id)
    const isOurs = own?.state === 'open' && own.run === this.#run && hasKey
    if (isOurs) {
      this.pending.add(id, own.epoch)
      store.table.put({ ...row, claimedStep: own.claimed_step })
    } else if (phase === 'claimed') store.drop(id)
    this.#import({ ...found, operations: found.operations.filter((one) => one !== own || !isOurs) })
    removeGone(store.table.rowsOn(service, target), store.table, found)
    if (isOurs) return
    this.pending.remove(id)
    this.#touched.delete(id)
    const now = this.#parts.clock()
    const open = store.findIdentical(operation, now)
    const isKeyTaken = found.keys.some((one) => one.key === key?.key && one.state !== 'free')
    if (cap && open === null && !isKeyTaken) checkCap(cap, BigInt(found.moved ?? 0))
    throw open ? alreadyOpen(open, now) : outcomeUnknown(id, 'another machine has just claimed it', 'run it again')
  }

  /** Marks a claimed write as about to be sent. Throws NETWORK_ERROR, or INTERNAL if another machine has settled it. */
  async markSending(id: string, before: string | null): Promise<void> {
    const { store } = this.#parts
    const epoch = this.pending.epochOf(id)
    const about = { operations: `id = ${quoted(id)}`, keys: NOTHING }
    const found = await this.#beforeSending([sendingStatement(id, epoch, before)], about)
    const own = found.operations.find((one) => one.id === id && one.epoch === epoch && one.state === 'open')
    if (own?.sent_ms == null)
      throw new Failure('INTERNAL', `another machine has recorded the outcome of operation ${id}; nothing was sent`, {
        outcome: 'not-applied',
      })
    store.table.put({ ...store.table.requireOpenRow(id), sentStep: own.sent_step })
  }

  /**
   * Records in the ledger what this machine knows about the outcome of an operation. Returns the ledger's receipt,
   * which another machine might have stored, or `null` if it has none. Sets {@link trouble} instead of throwing.
   */
  async end(id: string): Promise<string | null> {
    try {
      const statements = this.#statementsFor(id)
      const keys = `operation = ${quoted(id)}`
      const found = statements.length === 0 ? null : await this.#channel.send(statements, { operations: NOTHING, keys })
      this.#touched.delete(id)
      if (this.#parts.store.table.row(id)?.state !== 'open') this.pending.remove(id)
      else this.#ended.add(id)
      return found?.keys[0]?.receipt ?? null
    } catch (error) {
      if (!(error instanceof Failure) && !(error instanceof Interrupted)) throw error
      this.trouble ??= `the ledger could not be brought up to date: ${error.message}; the next command that reaches the ledger will update it`
      return null
    }
  }

  /** Marks an operation whose outcome this run might determine and must then record in the ledger. */
  touch(id: string): void {
    this.pending.add(id, this.pending.epochOf(id))
    this.#touched.add(id)
  }

  /** Records the outcomes of all this run's operations in the ledger. Sets {@link trouble} instead of throwing. */
  async endAll(): Promise<void> {
    for (const id of [...this.#touched]) {
      if (this.trouble !== null) return
      await this.end(id)
      this.#touched.delete(id)
    }
    this.#forget([...this.#ended])
  }

  /** Copies the ledger's rows about a card or sale to this machine. Throws NETWORK_ERROR. */
  async refresh(service: string, target: string, key: string | null): Promise<void> {
    const found = await this.#look(about(this.#names.toLedger(service), target, key))
    const { table } = this.#parts.store
    removeGone(table.rowsOn(service, target), table, found)
  }

  /** Copies an operation and its key to this machine, so that its outcome can be recorded. Throws NETWORK_ERROR. */
  async refreshOperation(id: string): Promise<void> {
    const found = await this.#look(aboutOperation(id))
    const { table } = this.#parts.store
    removeGone(table.rows('id = ?', id), table, found)
    for (const { service, target } of found.operations) await this.refresh(this.#names.toLocal(service), target, null)
  }

  /**
   * Records the outcome of another machine's write in the ledger, unless that machine might still be sending the write.
   * Then copies the operation from the ledger to this machine. Throws NETWORK_ERROR.
   */
  async settle(id: string, state: Settled, how: string): Promise<void> {
    this.#import(await this.#beforeSending(settleStatements(id, state, how), aboutOperation(id)))
  }

  /** Copies the ledger's rows for a key and its operations whose outcome is or was unknown. Throws NETWORK_ERROR. */
  async refreshAll(key: string | null): Promise<void> {
    const ofKey = `key = ${quoted(key)}`
    const found = await this.#look({
      operations: key === null ? LISTED : `${LISTED} OR id IN (SELECT operation FROM ${LEDGER}.keys WHERE ${ofKey})`,
      keys: key === null ? KEYS_OF_LISTED : ofKey,
    })
    const { table } = this.#parts.store
    removeGone(table.rows("state = 'open' AND phase <> 'claimed'"), table, found)
  }

  async close(): Promise<void> {
    await this.#channel.close()
  }

  async #look(what: Looked): Promise<Found> {
    const found = await this.#beforeSending(this.#unfinished(), what)
    this.#import(found)
    return found
  }

  #import(found: Found): void {
    importFound(this.#parts.store.table, found, {
      now: this.#parts.clock(),
      localService: this.#names.toLocal,
      knownEpoch: (id) => this.pending.epochOf(id),
    })
  }

  /** Returns statements for the operations whose outcome might be missing from the ledger. */
  #unfinished(except: string | null = null): string[] {
    const { store } = this.#parts
    return this.pending.all().flatMap((id) => {
      if (id === except) return []
      const row = store.table.row(id)
      if (row !== null && row.state === 'open' && getLiveness(row.owner) !== 'gone') return []
      return this.#statementsFor(id)
    })
  }

  #statementsFor(id: string): string[] {
    const { table } = this.#parts.store
    const row = table.row(id)
    const key = new KeyTable(table).findOperation(id)
    // Only the machine that owns an open write knows whether its attempt is over.
    if (row?.state === 'open' && row.owner.otherHost !== undefined && key?.state !== 'done') return []
    const wasNeverSent = row?.state === 'open' && row.phase === 'claimed'
    return endStatements(id, this.pending.epochOf(id), wasNeverSent ? null : row, key, this.#parts.clock())
  }

  /** Sends a message to the ledger before anything is sent to the service. Throws NETWORK_ERROR or USAGE. */
  async #beforeSending(statements: readonly string[], what: Looked): Promise<Found> {
    try {
      const { table } = this.#parts.store
      const told = this.pending.all().filter((id) => table.row(id)?.state !== 'open')
      const found = await this.#channel.send(statements, what)
      this.#forget(told)
      return found
    } catch (error) {
      // Trying again at the end of the run would only delay the error. The next command brings the ledger up to date.
      this.#touched.clear()
      throw error instanceof Failure ? unusableLedger(error) : error
    }
  }

  /** Removes operations from the pending table if their outcome is now in the ledger. */
  #forget(pending: readonly string[]): void {
    const { table } = this.#parts.store
    for (const id of pending) if (!this.#touched.has(id) && table.row(id)?.state !== 'open') this.pending.remove(id)
  }
}
