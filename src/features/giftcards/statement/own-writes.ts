import { isSameService } from '../../../client/same-service.ts'
import { notedReading } from '../../../money/card-reading.ts'
import { CANCEL } from '../../../money/giftcards.ts'
import { isOnCards, type PastWrite } from '../../../money/operations/past.ts'
import { readAllWrites } from '../../shared/all-writes.ts'
import type { CopyOwner } from '../../shared/copies.ts'
import type { CardState } from './step.ts'

/** A gift card write by this machine. `cents`: the amount redeemed; null for a cancellation. */
export interface OwnWrite extends Pick<PastWrite, 'id' | 'command' | 'cents' | 'isOpen' | 'sentMs'> {
  readonly card: string
  /** The balance before, and the total ever put on the card, in cents; null if not read. */
  readonly balanceBefore: bigint | null
  readonly totalBefore: bigint | null
  /** Made by the venue's own profile. */
  readonly isOurs: boolean
}

/**
 * Returns this machine's writes on gift cards of a service, by any profile. `path`: the record of money writes.
 * `sinceMs`: how far back it goes. Instants in epoch milliseconds. Fails: INTERNAL if the record cannot be used.
 */
export function writesHere(path: string, { profile, service, nowMs }: CopyOwner & { readonly nowMs: number }) {
  const all = readAllWrites(path, nowMs)
  // A redemption that is not a whole number of cents cannot be compared with a balance.
  const countable = all.writes.filter(
    ({ command, cents, service: at }) =>
      isOnCards(command) && isSameService(at, service) && (cents !== null || command === CANCEL),
  )
  const writes = countable.toSorted((a, b) => a.sentMs - b.sentMs).map((write) => ownWrite(write, profile))
  return { sinceMs: all.sinceMs, writes }
}

function ownWrite(write: PastWrite, profile: string | null): OwnWrite {
  const { id, command, target, cents, isOpen, sentMs, before } = write
  const reading = notedReading(before)
  const noted = { balanceBefore: reading?.balance ?? null, totalBefore: reading?.total ?? null }
  const isOurs = write.profile === profile && profile !== null
  return { id, command, card: target.toUpperCase(), cents, isOpen, sentMs, ...noted, isOurs }
}

/** This close to a snapshot, only the balance shows whether it includes a write: lists and clocks lag. Milliseconds. */
const NEAR_MS = 5 * 60_000

/** A card in one snapshot; `state` is null if it was not listed. `takenMs`: epoch milliseconds. */
export type Seen = { readonly takenMs: number; readonly state: CardState | null }

/** The index of the first snapshot that includes a write; null if none does, or cannot tell yet. */
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

/** Whether the balance in a snapshot includes a write; null if it cannot tell. */
function toldBy({ cents, balanceBefore, totalBefore }: OwnWrite, state: CardState | null): boolean | null {
  if (cents === null || balanceBefore === null || state?.remaining == null) return null
  if (totalBefore === null || state.amount === null) return state.remaining <= balanceBefore - cents
  return state.amount - state.remaining >= totalBefore - balanceBefore + cents
}
