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

/** A write whose outcome is, or was, not known. Holds no secret. */
export interface Operation extends Intent {
  /** `op_` and ten letters or digits. */
  readonly id: string
  readonly state: OperationState
  readonly phase: OperationPhase
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** When it was about to leave; null while it is only claimed. */
  readonly sentAt: number | null
  /** What was read before it was sent: cents of a balance, or a status. Null: nothing was. */
  readonly before: string | null
  /** How it became known, in words; null while it is open. */
  readonly how: string | null
  readonly endedAt: number | null
  /** The process that makes it. */
  readonly pid: number
}
