import type { Owner } from './owner.ts'

/** What is known of a write. `open`: it is not known whether it was done. */
export type OperationState = 'open' | 'applied' | 'not-applied'

/** How far an open write has come. `claimed`: certainly not sent yet. `sending`: it may have arrived. */
export type OperationPhase = 'claimed' | 'sending'

/** A write of money that is about to be made: what makes two of them the same is service, command, target and amount. */
export interface Intent {
  /** `giftcards redeem` */
  readonly command: string
  /** The service that it is for: its base URL, or `sandbox`. */
  readonly service: string
  /** A card number or sale ID. */
  readonly target: string
  /** Currency units as typed; null for a write without an amount. */
  readonly amount: string | null
  /** Null when no profile was used. */
  readonly profile: string | null
}

/** A write whose outcome is, or was, not known, and the process that makes it. Holds no secret. */
export interface Operation extends Intent, Owner {
  /** `op_` and ten letters or digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** When it last may have been on its way; null while it is only claimed. */
  readonly sentAt: number | null
  /** What was read before it was sent: cents of a balance, or a status. Null: nothing was. */
  readonly before: string | null
  /** How it became known, in words; null while it is open. */
  readonly how: string | null
  readonly endedAt: number | null
}

/** Another write on the same card, which may explain what its balance did. */
export interface Movement {
  readonly cents: bigint
  /** It was certainly done, and after the balance before was read. Else it may have been, or before. */
  readonly isCertain: boolean
}
