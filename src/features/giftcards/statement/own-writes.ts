import { isSameService } from '../../../client/same-service.ts'
import { notedReading } from '../../../money/card-reading.ts'
import { CANCEL } from '../../../money/giftcards.ts'
import { isOnCards, type PastWrite } from '../../../money/operations/past.ts'
import { allWrites } from '../../shared/all-writes.ts'
import type { Whose } from '../../shared/copies.ts'
import type { CardState } from './step.ts'

/** A write of money that this machine made on a card. `cents`: what was redeemed; null: it was cancelled. */
export interface OwnWrite extends Pick<PastWrite, 'id' | 'command' | 'cents' | 'isOpen' | 'sentMs'> {
  readonly card: string
  /** What was left on the card right before, and all that was ever put on it, in cents; null: nobody read it. */
  readonly balanceBefore: bigint | null
  readonly totalBefore: bigint | null
}

/** Whose writes are asked for. `cards`: the numbers of the cards that the copy has ever had. `nowMs`: epoch milliseconds. */
interface Venue extends Whose {
  readonly cards: ReadonlySet<string>
  readonly nowMs: number
}

/**
 * The writes that this machine made on the cards of a venue: on those of its copy, under whatever profile, and all that the profile
 * itself made. `path`: of the record of money writes. `sinceMs`: since when it keeps them, epoch milliseconds.
 * Fails: INTERNAL when the record cannot be used.
 */
export function writesHere(
  path: string,
  { profile, service, cards, nowMs }: Venue,
): { readonly sinceMs: number; readonly writes: readonly OwnWrite[] } {
  const all = allWrites(path, nowMs)
  const ours = all.writes.filter(
    (write) =>
      isOnCards(write.command) &&
      isSameService(write.service, service) &&
      (cards.has(write.target.toUpperCase()) || (write.profile === profile && profile !== null)),
  )
  // A redemption that is no whole number of cents cannot be held against a balance.
  const countable = ours.filter(({ command, cents }) => cents !== null || command === CANCEL)
  return { sinceMs: all.sinceMs, writes: countable.toSorted((a, b) => a.sentMs - b.sentMs).map(ownWrite) }
}

function ownWrite({ id, command, target, cents, isOpen, sentMs, before }: PastWrite): OwnWrite {
  const reading = notedReading(before)
  const noted = { balanceBefore: reading?.balance ?? null, totalBefore: reading?.total ?? null }
  return { id, command, card: target.toUpperCase(), cents, isOpen, sentMs, ...noted }
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
  return toldBy(write, state) ?? earlyMs >= 0
}

/** Whether a snapshot shows at least what a write left; null: that cannot be told. */
function toldBy({ cents, balanceBefore, totalBefore }: OwnWrite, state: CardState | null): boolean | null {
  if (cents === null || balanceBefore === null || state?.remaining == null) return null
  if (totalBefore === null || state.amount === null) return state.remaining <= balanceBefore - cents
  return state.amount - state.remaining >= totalBefore - balanceBefore + cents
}
