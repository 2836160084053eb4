import type { Owner } from '../../base/storage/owner.ts'
import type { Moment } from './moment.ts'

/** The state of an operation. `open`: its outcome is unknown. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/** The progress of a write. `claimed`: certainly not sent. `sending`: may have arrived. `redirected`: never resent. */
export type OperationPhase = 'claimed' | 'sending' | 'redirected'

/** The stored value of `how` if the user recorded the outcome. */
export const SAID_BY_USER = 'said by a person'

/** A write to be made. Two writes are identical if they have the same command, service, target and cents. */
export interface Intent {
  /** The command, such as `giftcards redeem`. */
  readonly command: string
  /** The base URL of the service, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** The amount, in cents; `null` for a write without an amount. */
  readonly cents: bigint | null
  /** The name of the profile; `null` if none was used. */
  readonly profile: string | null
}

/** A write whose outcome is or was unknown, and the process that makes it. Contains no secrets. */
export interface Operation extends Intent {
  /** The ID: `op_` followed by ten hexadecimal digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** When the write was claimed, in milliseconds since 1970. */
  readonly startedAt: number
  readonly owner: Owner
  /** When the write was first sent; `null` while it is only claimed. */
  readonly firstSent: Moment | null
  /** When the write was last sent; `null` while it is only claimed. */
  readonly sent: Moment | null
  /** The time limit of an attempt, in milliseconds. */
  readonly attemptMs: number
  /** When the last attempt was known to be over; `null` while it may be running. */
  readonly over: Moment | null
  /** The reading before the write was sent, in a format that depends on the command; `null` if uncertain. */
  readonly before: string | null
  /** How the outcome is known, as text for the user; `null` while the operation is open. */
  readonly how: string | null
  /** When the outcome became known; `null` while the operation is open. */
  readonly ended: Moment | null
}

/** Another write on the same card that may explain a change of its balance. */
export interface Movement {
  readonly cents: bigint
  /** Whether the write was certainly done between the two readings. */
  readonly isCertain: boolean
}
