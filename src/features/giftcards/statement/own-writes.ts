import { isSameService } from '../../../client/same-service.ts'
import { toAsciiUpperCase } from '../../../contract/shapes/scalars.ts'
import { parseReading } from '../../../money/card-reading.ts'
import { CANCEL } from '../../../money/giftcards.ts'
import { isOnCards, type PastWrite } from '../../../money/operations/past.ts'
import { readAllWrites } from '../../shared/all-writes.ts'
import type { CopyOwner } from '../../shared/copies.ts'
import type { CardState } from './step.ts'

/** A write that this machine made to a gift card. `cents` is the redeemed amount, or `null` for a cancellation. */
export interface OwnWrite extends Pick<PastWrite, 'id' | 'command' | 'cents' | 'isOpen' | 'sentMs'> {
  readonly card: string
  /**
   * The balance before the write and the total ever loaded onto the card, in cents, or `null` if they were not read.
   */
  readonly balanceBefore: bigint | null
  readonly totalBefore: bigint | null
  /** Whether the write was performed with the venue's own profile. */
  readonly isOurs: boolean
}

/**
 * Returns this machine's writes to a service's gift cards, from all profiles. `path` is the operations database.
 * `sinceMs` is the time of this machine's first records, in epoch milliseconds. Throws INTERNAL if the database cannot
 * be used.
 */
export function readOwnWrites(path: string, { profile, service, nowMs }: CopyOwner & { readonly nowMs: number }) {
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
  const reading = parseReading(before)
  const noted = { balanceBefore: reading?.balance ?? null, totalBefore: reading?.total ?? null }
  const isOurs = write.profile === profile && profile !== null
  return { id, command, card: toAsciiUpperCase(target), cents, isOpen, sentMs, ...noted, isOurs }
}

/**
 * If a snapshot and a write are at most this many milliseconds apart, their order is unclear, because clocks differ and
 * lists lag behind. In that case, the order is inferred from the balance if possible.
 */
const NEAR_MS = 5 * 60_000

/**
 * A card in the snapshot taken at `takenMs`, in epoch milliseconds. `state` is `null` if the snapshot does not list the
 * card.
 */
export type Seen = { readonly takenMs: number; readonly state: CardState | null }

/** Returns the index of the first snapshot that reflects a write, or `null` if there is none. */
export function findFirstSnapshot(write: OwnWrite, seen: readonly Seen[]): number | null {
  const at = seen.findIndex((one) => includesWrite(write, one))
  return at < 0 ? null : at
}

/** Returns whether a write may have been performed between two times, allowing for clock differences. */
export function mayBeWithin({ sentMs }: OwnWrite, afterMs: number, byMs: number): boolean {
  return sentMs > afterMs - NEAR_MS && sentMs <= byMs + NEAR_MS
}

function includesWrite(write: OwnWrite, { takenMs, state }: Seen): boolean {
  const earlyMs = takenMs - write.sentMs
  if (Math.abs(earlyMs) > NEAR_MS) return earlyMs > 0
  return isInBalance(write, state) ?? earlyMs >= 0
}

/** Returns whether the balance in a snapshot reflects a write, or `null` if that cannot be determined. */
function isInBalance({ cents, balanceBefore, totalBefore }: OwnWrite, state: CardState | null): boolean | null {
  if (cents === null || balanceBefore === null || state?.remaining == null) return null
  if (totalBefore === null || state.amount === null) return state.remaining <= balanceBefore - cents
  return state.amount - state.remaining >= totalBefore - balanceBefore + cents
}
