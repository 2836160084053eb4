import type { Moment } from './moment.ts'
import type { Owner } from './owner.ts'

/** What is known of a write. `open`: it is not known whether it was done. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/**
 * How far an open write has come. `claimed`: it certainly has not left. `sending`: it may have arrived. `redirected`: the service
 * pointed elsewhere, which is an answer, so that it is never sent again.
 */
export type OperationPhase = 'claimed' | 'sending' | 'redirected'

/** A write of money that is about to be made. Two are the same when command, service, target and cents are. */
export interface Intent {
  /** `giftcards redeem` */
  readonly command: string
  /** The service that it is for: its base URL, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** Null for a write without an amount. */
  readonly cents: bigint | null
  /** Null when no profile was used. */
  readonly profile: string | null
}

/** A write whose outcome is, or was, not known, and the process that makes it. Holds no secret. */
export interface Operation extends Intent {
  /** `op_` and ten letters or digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly owner: Owner
  /** When it first left, and when it last did; null while it is only claimed. */
  readonly firstSent: Moment | null
  readonly sent: Moment | null
  /** How long an attempt may take, in milliseconds: after that it is over, whoever makes it. */
  readonly attemptMs: number
  /** When its last attempt was known to be over; null while it may be under way. */
  readonly over: Moment | null
  /** What the outcome is judged by, read before it was sent, in the words of its command. Null: nothing was, or it was not certain. */
  readonly before: string | null
  /** How it became known, in words; null while it is open. */
  readonly how: string | null
  readonly ended: Moment | null
}

/** Another write on the same card, which may explain what its balance did. */
export interface Movement {
  readonly cents: bigint
  /** It was certainly done, and between the two readings. Else it may have been, or before the one, or after the other. */
  readonly isCertain: boolean
}
