import { monotonicMs } from '../../base/stopwatch.ts'
import type { Leased } from './queue.ts'

/** Why a lease is over: another worker took it. */
export const TAKEN_OVER = 'another worker took it over'

/** So much of a lease may pass without a renewal; the rest is for ending what is under way. */
const GIVE_UP_AT = 0.75

/**
 * The hold on one event. Only the database's clock tells who has a lease; by our own we know how long nobody else can have it. When
 * it was not renewed for so long the hold is over, and its signal is aborted.
 */
export class Hold {
  readonly leased: Leased
  readonly #leaseMs: number
  readonly #lost = new AbortController()
  #timer: NodeJS.Timeout | undefined

  /** @param askedAt when the lease was asked for, by `monotonicMs`. */
  constructor(leased: Leased, leaseMs: number, askedAt: number) {
    this.leased = leased
    this.#leaseMs = leaseMs
    this.renewed(askedAt)
  }

  /** Is aborted when the lease is lost, or may soon be. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** Why it is over, in words. */
  get lostWords(): string {
    return typeof this.signal.reason === 'string' ? this.signal.reason : TAKEN_OVER
  }

  /** Notes that the lease is whole again, since it was asked for. */
  renewed(askedAt: number): void {
    clearTimeout(this.#timer)
    const ms = askedAt + this.#leaseMs * GIVE_UP_AT - monotonicMs()
    this.#timer = setTimeout(() => this.lose('its lease could not be renewed'), Math.max(0, ms))
  }

  /** Gives it up, for a reason in words. */
  lose(why: string): void {
    this.end()
    this.#lost.abort(why)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
