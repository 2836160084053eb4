import type { CardState } from './card.ts'

/** A write of money that this machine made on a card, and whose outcome it knows, or does not. */
export interface OwnWrite {
  readonly id: string
  readonly command: string
  readonly card: string
  /** What was redeemed; null: it was cancelled. */
  readonly cents: bigint | null
  /** Of an open one nobody knows whether it was done. */
  readonly isOpen: boolean
  /** When it left, epoch milliseconds, by the clock of this machine. */
  readonly sentMs: number
  /** What was left on the card right before, and all that was ever put on it, in cents; null: nobody read it. */
  readonly balanceBefore: bigint | null
  readonly totalBefore: bigint | null
}

/**
 * This close to a snapshot the clocks do not tell whether a write is in it: that of this machine may differ from the service's,
 * a list takes time to read, and may lag behind. The balance that was read before the write tells. Milliseconds.
 */
const NEAR_MS = 5 * 60_000

/** A card at one snapshot; null: it was not listed. `takenMs`: epoch milliseconds. */
export interface Seen {
  readonly takenMs: number
  readonly state: CardState | null
}

/**
 * Between which snapshots a write was made: 1 for the first two, 2 for the next; 0: before the first; null: after the last, or the
 * last does not tell yet.
 */
export function placeOf(write: OwnWrite, seen: readonly Seen[]): number | null {
  const at = seen.findIndex((one) => isIn(write, one))
  return at < 0 ? null : at
}

/** Whether a write may have been made between two instants, as far as clocks tell. Epoch milliseconds. */
export function mayBeWithin({ sentMs }: OwnWrite, afterMs: number, byMs: number): boolean {
  return sentMs > afterMs - NEAR_MS && sentMs <= byMs + NEAR_MS
}

function isIn(write: OwnWrite, { takenMs, state }: Seen): boolean {
  const earlyMs = takenMs - write.sentMs
  if (Math.abs(earlyMs) > NEAR_MS) return earlyMs > 0
  const told = toldBy(write, state)
  return told ?? earlyMs >= 0
}

/** Whether a snapshot shows at least what a write left; null: that cannot be told. */
function toldBy({ cents, balanceBefore, totalBefore }: OwnWrite, state: CardState | null): boolean | null {
  if (cents === null || balanceBefore === null || state?.remaining == null) return null
  if (totalBefore === null || state.amount === null) return state.remaining <= balanceBefore - cents
  return state.amount - state.remaining >= totalBefore - balanceBefore + cents
}
