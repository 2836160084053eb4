import type { Owner } from '../../base/storage/owner.ts'
import type { Moment } from './moment.ts'

/** `open`: nobody knows whether it was done. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/** `claimed`: certainly not sent. `sending`: may have arrived. `redirected`: never sent again. */
export type OperationPhase = 'claimed' | 'sending' | 'redirected'

/** How an outcome is known that the user recorded. */
export const SAID_BY_USER = 'said by a person'

/** A write to be made. Two are the same if command, service, target and cents are. */
export interface Intent {
  /** `giftcards redeem` */
  readonly command: string
  /** Its base URL, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** Null for a write without an amount. */
  readonly cents: bigint | null
  /** Null if no profile was used. */
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
  /** When it was first and last sent; null while it is only claimed. */
  readonly firstSent: Moment | null
  readonly sent: Moment | null
  /** The longest duration of an attempt, in milliseconds. */
  readonly attemptMs: number
  /** When its last attempt was known to be over; null while it may be running. */
  readonly over: Moment | null
  /** The reading before it was sent, in a form of its command; null if uncertain. */
  readonly before: string | null
  /** How the outcome is known, in words; null while it is open. */
  readonly how: string | null
  /** When the outcome became known; null while it is open. */
  readonly ended: Moment | null
}

/** Another write on the same card, which may be why its balance changed. */
export interface Movement {
  readonly cents: bigint
  /** Whether it was certainly done between the two readings. */
  readonly isCertain: boolean
}
