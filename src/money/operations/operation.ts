import type { Owner } from '../../base/storage/owner.ts'
import type { Moment } from './moment.ts'

/** An operation's state. `open` means that its outcome is unknown. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/**
 * How far a write has progressed. A `claimed` write was definitely not sent, a `sending` write might have arrived, and
 * a `redirected` write is never sent again.
 */
export type OperationPhase = 'claimed' | 'sending' | 'redirected'

/** The value of `how` for an outcome that a user recorded. */
export const SAID_BY_USER = 'said by a person'

/** A write to perform. Two writes are identical if they have the same command, service, target and cents. */
export interface Intent {
  /** The command, such as `giftcards redeem`. */
  readonly command: string
  /** The service's base URL, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** The amount in cents, or `null` for a write without an amount. */
  readonly cents: bigint | null
  /** The profile's name, or `null` if no profile was used. */
  readonly profile: string | null
}

/** A stored write, with its state and the process that performs it. Contains no secrets. */
export interface Operation extends Intent {
  /** The ID: `op_` followed by ten hexadecimal digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** When the write was claimed, in epoch milliseconds. */
  readonly startedAt: number
  readonly owner: Owner
  /** When the write was first sent, or `null` if it has not been sent. */
  readonly firstSent: Moment | null
  /** When the write was last sent, or `null` if it has not been sent. */
  readonly sent: Moment | null
  /** The time limit for one attempt, in milliseconds. */
  readonly attemptMs: number
  /** When the last attempt was known to be over, or `null` while it might still be running. */
  readonly over: Moment | null
  /**
   * The card's state before the write was sent, or the identifying values of a sale. The format depends on the command.
   * `null` if the state is uncertain.
   */
  readonly before: string | null
  /** An explanation, for the user, of how the outcome was determined. `null` while the operation is open. */
  readonly how: string | null
  /** When the outcome became known, or `null` while the operation is open. */
  readonly ended: Moment | null
}

/** Another write on the same card, which might explain why the balance changed. */
export interface Movement {
  readonly cents: bigint
  /** Whether the write definitely took effect between the two balance readings. */
  readonly isCertain: boolean
}
