import type { Owner } from '../../base/storage/owner.ts'
import type { Moment } from './moment.ts'

/** What is known about a write. `open`: nobody knows whether it was done. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/**
 * How far an open write has come. `claimed`: it has certainly not left. `sending`: it may have arrived. `redirected`: the
 * service answered with a redirect, so it is never sent again.
 */
export type OperationPhase = 'claimed' | 'sending' | 'redirected'

/** How the outcome of a write is known that the user recorded. */
export const SAID_BY_USER = 'said by a person'

/** A write of money that is about to be made. Two are the same when their command, service, target and cents are. */
export interface Intent {
  /** `giftcards redeem` */
  readonly command: string
  /** The service that the write is for: its base URL, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** Null for a write without an amount. */
  readonly cents: bigint | null
  /** Null when no profile was used. */
  readonly profile: string | null
}

/** A write whose outcome is or was unknown, and the process that makes it. Holds no secret. */
export interface Operation extends Intent {
  /** `op_` and ten letters or digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly owner: Owner
  /** When it first left, and when it last left; null while it is only claimed. */
  readonly firstSent: Moment | null
  readonly sent: Moment | null
  /** How long an attempt may take at most, in milliseconds. */
  readonly attemptMs: number
  /** Since when its last attempt is known to be over; null while it may be under way. */
  readonly over: Moment | null
  /** What was read before it was sent, to judge the outcome by, in a form of its command. Null: nothing certain was read. */
  readonly before: string | null
  /** How the outcome is known, in words; null while it is open. */
  readonly how: string | null
  /** Since when the outcome is known; null while it is open. */
  readonly ended: Moment | null
}

/** Another write on the same card, which may be why its balance changed. */
export interface Movement {
  readonly cents: bigint
  /** True: it was done between the two readings. False: it may have been, or before the first, or after the second. */
  readonly isCertain: boolean
}
