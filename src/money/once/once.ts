import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import { pause } from '../../http/client/retry.ts'
import { formatAmount } from '../amount.ts'
import type { MoneyDesk } from '../desk.ts'
import { describeProcess, outcomeUnknown } from '../operations/already-open.ts'
import type { Operation } from '../operations/operation.ts'
import { mayBeInProgress, wasNeverSent } from '../operations/settling.ts'
import { ANSWERED } from '../operations/table.ts'
import { judgeOperation, recordOutcome, stillUnknown } from '../resolve.ts'
import { SALE } from '../sales.ts'
import type { Verdict } from '../verdict.ts'
import { fingerprintOf, type KeyedOrder } from './key.ts'
import { type KeyRow, KeyTable } from './keys.ts'
import { formatReceipt, parseReceipt, type Receipt, type Reckoned, reckon } from './receipt.ts'

/** An order that was already completed. */
export interface DoneBefore {
  readonly operation: string
  /** When the order's outcome became known, in epoch milliseconds. */
  readonly at: number
  readonly receipt: Receipt
}

export interface OnceOptions {
  readonly key: string
  readonly order: KeyedOrder
  /** Removes secrets from text that will be stored. */
  readonly hide: (text: string) => string
  /** Builds the receipt for a write that took effect but whose response was lost. */
  readonly assume: (known: Reckoned) => Receipt
  /** Formats an instant, in epoch milliseconds, for a message. */
  readonly formatInstant: (ms: number) => string
  /**
   * Called in the transaction that claims the write, before its key is bound to the operation. `known` is the key's
   * stored row, or `null`. Throws if the write must not be sent.
   */
  readonly checkClaim?: (operation: Operation, known: KeyRow | null) => void
}

/** How often, in milliseconds, to check whether another process has finished: without and with a ledger. */
const LOOK_EVERY_MS = 100
const ASK_EVERY_MS = 250

/** Ensures that an order with a given key is carried out at most once. */
export class Once {
  readonly #desk: MoneyDesk
  readonly #keys: KeyTable
  readonly #options: OnceOptions
  readonly #fingerprint: string
  #claimed: string | null = null

  /** Uses `desk` only for reading. Write with the desk that {@link bound} returns. */
  constructor(desk: MoneyDesk, options: OnceOptions) {
    this.#desk = desk
    this.#keys = new KeyTable(desk.store.table)
    this.#options = options
    this.#fingerprint = fingerprintOf(options.order)
  }

  /**
   * Returns the receipt if the order was already completed, or `null` if it can be sent. Waits while another process is
   * working on the order, but no longer than an attempt's time limit, and then tries to determine the outcome. Throws
   * USAGE if the key belongs to a different order, or OUTCOME_UNKNOWN if the outcome cannot be determined.
   */
  async findDone(): Promise<DoneBefore | null> {
    const { store, clock, caller, force, service, ledger } = this.#desk
    const deadline = clock().monotonicMs + caller.attemptMs
    let isFresh = ledger === undefined
    for (;;) {
      const row = this.#keys.find(service, this.#options.key)
      if (row === null) return null
      const operation = row.state === 'open' ? store.find(row.operation) : null
      if (operation !== null && !isFresh) {
        await this.#refresh(operation)
        isFresh = true
        continue
      }
      this.#refuseOtherOrder(row)
      if (row.state === 'done') return await this.#settleDone(row)
      if (operation === null) return null
      // Another process might have settled the operation since the row was read.
      if (operation.state !== 'open' && !this.#isStillOpen(row)) continue
      if (!mayBeInProgress(operation, clock()) || operation.state !== 'open') {
        if (operation.command === SALE || wasNeverSent(operation, clock())) return null
        const verdict = await this.#judge(operation)
        const { state, how } = verdict
        if (state !== 'unknown') await recordOutcome(this.#desk, operation, state, how)
        else if (force) return null
        else if (this.#isStillOpen(row)) throw stillUnknown(operation, verdict)
      } else if (clock().monotonicMs > deadline) throw stillWorkedOn(operation)
      else await this.#wait(operation)
    }
  }

  #isStillOpen({ service, key, operation }: KeyRow): boolean {
    const row = this.#keys.find(service, key)
    return row?.state === 'open' && row.operation === operation
  }

  /** Copies the ledger's rows about the key and its target to this machine. Throws NETWORK_ERROR. */
  async askLedger(): Promise<void> {
    const { ledger, service } = this.#desk
    await ledger?.refresh(service, this.#options.order.target, this.#options.key)
  }

  /** Returns a desk that binds its next write to the key, in the transaction that claims the write. */
  bound(desk: MoneyDesk): MoneyDesk {
    return { ...desk, together: desk.store.together, onClaim: (operation) => this.#bind(operation) }
  }

  get formatInstant(): (ms: number) => string {
    return this.#options.formatInstant
  }

  /** Returns whether a write failed because its key is in use. If so, call {@link findDone} again. */
  isTaken(error: unknown): boolean {
    if (!(error instanceof Failure) || error.code !== 'OUTCOME_UNKNOWN') return false
    const row = this.#keys.find(this.#desk.service, this.#options.key)
    if (row === null) return false
    if (row.state === 'done' || row.fingerprint !== this.#fingerprint) return true
    const { details } = error
    if (row.state === 'free') return isJsonObject(details) && this.#isOver(String(details['operation']))
    return row.operation !== this.#claimed || this.#desk.store.find(row.operation)?.owner.otherHost !== undefined
  }

  /** Returns whether an operation that blocked this run's write has ended or was never sent. */
  #isOver(id: string): boolean {
    const operation = this.#desk.store.find(id)
    return operation === null || (operation.state !== 'open' && id !== this.#claimed)
  }

  /**
   * Records that the order took effect. Returns the receipt that was recorded first, which is the one to print. Call
   * this before printing anything.
   */
  async finish(operation: Operation, receipt: Receipt, how: string | null): Promise<Receipt> {
    const stored = this.#keys.transaction(() => {
      const { key } = this.#options
      const known = this.#keys.find(operation.service, key)
      if (known?.state === 'done' && known.receipt !== null) return known.receipt
      const change = receipt.change ?? reckon(operation).change
      const text = formatReceipt({ ...receipt, change }, this.#options.hide)
      const row = known?.operation === operation.id ? known : this.#newRow(operation)
      this.#keys.put({
        ...row,
        service: known?.service ?? row.service,
        state: 'done',
        receipt: text,
        how,
        endedAt: this.#desk.clock().wallMs,
      })
      return text
    })
    return this.#agreeOn(operation.id, stored)
  }

  /** Records the order's outcome in the ledger, if one is used. Returns the receipt that was stored first. */
  async #agreeOn(operation: string, stored: string): Promise<Receipt> {
    const { ledger, service } = this.#desk
    const agreed = (await ledger?.end(operation)) ?? stored
    const row = this.#keys.find(service, this.#options.key)
    if (agreed !== stored && row) this.#keys.put({ ...row, receipt: agreed })
    return parseReceipt(agreed)
  }

  #bind(operation: Operation): void {
    const known = this.#keys.find(operation.service, this.#options.key)
    if (known) this.#refuseOtherOrder(known)
    const isOurs = this.#desk.force || known?.operation === operation.id
    // Another machine might have removed the operation because it was never sent.
    const isOpen = known?.state === 'open' && this.#desk.store.find(known.operation) !== null
    if (known && (known.state === 'done' || (isOpen && !isOurs)))
      throw outcomeUnknown(known.operation, 'another process has just started this order', 'run it again')
    this.#options.checkClaim?.(operation, known)
    const row = this.#newRow(operation)
    this.#keys.put({ ...row, service: known?.service ?? row.service })
    this.#claimed = operation.id
  }

  #newRow({ id, profile, startedAt, service }: Pick<Operation, 'id' | 'profile' | 'startedAt' | 'service'>): KeyRow {
    const { key, order } = this.#options
    const { command, target, amount } = order
    return {
      ...{ service, key, fingerprint: this.#fingerprint, command, target, profile, startedAt },
      ...{ amount: amount && formatAmount(amount), operation: id, receipt: null },
      ...{ state: 'open', how: null, endedAt: null },
    }
  }

  /** Returns the receipt in the row. If there is none, stores one, so that repeated commands print the same receipt. */
  async #settleDone(row: KeyRow): Promise<DoneBefore> {
    const { store, clock } = this.#desk
    const operation = store.find(row.operation)
    const isOpen = operation?.state === 'open'
    if (isOpen && !mayBeInProgress(operation, clock()))
      store.settle(operation.id, 'applied', row.how ?? ANSWERED, clock())
    const at = row.endedAt ?? row.startedAt
    // The run that received the response might have been killed before it printed the receipt or updated the ledger.
    if (row.receipt !== null && !isOpen) return { operation: row.operation, at, receipt: parseReceipt(row.receipt) }
    const text = row.receipt ?? formatReceipt(this.#options.assume(reckon(operation)), this.#options.hide)
    if (row.receipt === null) this.#keys.put({ ...row, receipt: text })
    return { operation: row.operation, at, receipt: await this.#agreeOn(row.operation, text) }
  }

  #refuseOtherOrder({ key, fingerprint, command, target, amount, startedAt, operation }: KeyRow): void {
    if (fingerprint === this.#fingerprint) return
    const { order, formatInstant } = this.#options
    const what = amount === null ? `${command} ${target}` : `${command} ${target} --amount ${amount}`
    const isAlike =
      command === order.command && target === order.target && amount === (order.amount && formatAmount(order.amount))
    const difference = isAlike ? ' with other details' : ''
    throw usageFailure(
      [`--once ${key} was used for another order${difference}: ${what}, on ${formatInstant(startedAt)} (${operation})`],
      `nothing was sent; use a different key for each payment; to see the other order: ${formatCommand`operations list --once ${key}`}`,
    )
  }

  /** Determines the outcome of an earlier attempt. It is `unknown` if the card cannot be read. Throws INTERNAL. */
  async #judge(operation: Operation): Promise<Verdict> {
    return judgeOperation(this.#desk, operation).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code === 'INTERNAL') throw error
      return { state: 'unknown', how: `the outcome could not be checked: ${error.message}` }
    })
  }

  async #wait(operation: Operation): Promise<void> {
    const { ledger, caller } = this.#desk
    const { hooks } = caller
    const over = hooks.waitsFor?.('another process is working on this order', 'news')
    await pause(ledger ? ASK_EVERY_MS : LOOK_EVERY_MS, hooks).finally(over)
    await this.#refresh(operation)
  }

  /** Reads the ledger, so that other machines' writes are considered when an outcome is determined. */
  async #refresh(operation: Operation): Promise<void> {
    await this.askLedger().catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'NETWORK_ERROR') throw error
      throw stillUnknown(operation, { state: 'unknown', how: error.message })
    })
  }
}

function stillWorkedOn({ id, owner }: Operation): Failure {
  const hint = `wait for its outcome: ${formatCommand`operations resolve ${id} --wait`}`
  return outcomeUnknown(id, `${describeProcess(owner)} working on this order; nothing was sent`, hint)
}
