import type { CardState } from './card.ts'
import type { Flow } from './step.ts'

/** What two dated snapshots of a copy, and those between them, have of the gift cards. */
export interface CardHistory {
  /** When the snapshots were taken, in order, epoch milliseconds by the service's clock: two or more. */
  readonly takenMs: readonly number[]
  /** Every card that was listed up to the first of them, by its number. */
  readonly opening: ReadonlyMap<string, CardAtOpening>
  /** What the later ones found to be otherwise than the one before, in their order. */
  readonly changes: readonly CardFound[]
}

/** A card at the first snapshot. */
export interface CardAtOpening {
  /** Null: it was not listed any more. */
  readonly state: CardState | null
  /** As it was when it was last listed. */
  readonly lastListed: CardState | null
}

/** What a snapshot found of a card. */
export interface CardFound {
  readonly card: string
  /** Which of the snapshots found it, from 1. */
  readonly at: number
  /** Null: it was not listed any more. */
  readonly state: CardState | null
}

/** Who made a movement: this machine, or somebody else, such as the POS next door; null where that does not arise, or is not known. */
export type By = 'this machine' | 'elsewhere' | null

/** A movement of what is owed, on one card. */
export interface Movement extends Flow {
  readonly card: string
  /** It happened after one snapshot, and was found by the next. Epoch milliseconds. */
  readonly afterMs: number
  readonly byMs: number
  readonly by: By
  readonly before: string | null
  readonly after: string | null
}

/** A write that this machine made, and that the service does not show. */
export interface NotShown {
  readonly card: string
  /** `giftcards redeem` */
  readonly command: string
  /** What of it is not shown, in cents; null for a cancellation. */
  readonly cents: bigint | null
  /** The writes on that card that were done in the period. */
  readonly operations: readonly string[]
  readonly why: string
}

/** A write of this machine of which nobody knows whether it was done. */
export interface StillOpen {
  readonly id: string
  readonly card: string
  readonly command: string
  readonly cents: bigint | null
  /** Whether the service shows at least its amount as taken by nobody known. */
  readonly fits: boolean
}
