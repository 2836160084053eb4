import type { Address } from '../../../postgres/address.ts'
import { Connection, limitsFor } from '../../../postgres/connection.ts'
import { whereKey } from '../../tables/bookkeeping.ts'
import { type Claim, leaseEnd } from './lease.ts'

const RELEASE_MS = 2000

/** Renews a lease until another run takes it. Uses a separate connection, which is reopened if it is lost. */
export class Renewal {
  isTaken = false
  #isOver = false
  readonly #address: Address
  readonly #claim: Claim
  readonly #epoch: number
  readonly #ending = new AbortController()
  #connection: Connection | null = null
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()

  constructor(address: Address, claim: Claim, epoch: number) {
    this.#address = address
    this.#claim = claim
    this.#epoch = epoch
    this.#plan()
  }

  /**
   * Releases the lease. Uses `connection` if this object has no connection. Never throws: a lease that cannot be
   * released expires.
   */
  async release(connection: Connection): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    const limit = setTimeout(() => {
      this.#ending.abort()
      this.#connection?.destroy()
    }, RELEASE_MS)
    await this.#round
    if (this.#connection === null && !connection.isLost) this.#connection = connection
    try {
      if (!this.isTaken) await this.#update('holder = NULL, held_since = NULL, lease_until = NULL', RELEASE_MS)
      await this.#connection?.close()
    } catch {
      this.#connection?.destroy()
    } finally {
      clearTimeout(limit)
    }
  }

  #plan(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#renew()
    }, this.#claim.leaseMs / 3)
    // Do not let the timer keep the process alive.
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    try {
      const { leaseMs } = this.#claim
      this.isTaken = !(await this.#update(`lease_until = ${leaseEnd(leaseMs)}`, leaseMs / 3))
    } catch {
      this.#connection?.destroy()
    }
    if (!this.isTaken && !this.#isOver) this.#plan()
  }

  async #update(sets: string, limitMs: number): Promise<boolean> {
    const { key, leaseMs } = this.#claim
    if (this.#connection === null || this.#connection.isLost)
      this.#connection = await Connection.open(this.#address, limitsFor(leaseMs), this.#ending.signal)
    const rows = await this.#connection.query(
      `UPDATE sync_state SET ${sets} WHERE ${whereKey(key)} AND epoch = ${this.#epoch} RETURNING epoch`,
      limitMs,
    )
    return rows.length === 1
  }
}
