import { isSameService } from '../../../client/same-service.ts'
import { notedReading } from '../../../money/card-reading.ts'
import { CANCEL } from '../../../money/giftcards.ts'
import { isOnCards, type PastWrite } from '../../../money/operations/past.ts'
import { allWrites } from '../../shared/all-writes.ts'
import type { OwnWrite } from './own-writes.ts'

/** The writes of this machine that are about the venue of a copy, and since when it keeps them: epoch milliseconds. */
export interface WritesHere {
  readonly sinceMs: number
  readonly writes: readonly OwnWrite[]
}

/** Whose writes are asked for. */
export interface Venue {
  /** Null: no profile says. */
  readonly profile: string | null
  /** The service, as operations name it; null: no profile says. */
  readonly service: string | null
  /** The numbers of the cards that the copy has ever had. */
  readonly cards: ReadonlySet<string>
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/**
 * The writes that this machine made on the cards of a venue: on those of its copy, under whatever profile, and all that the profile
 * itself made. `path`: of the record of money writes. Fails: INTERNAL when that cannot be used.
 */
export function writesHere(path: string, { profile, service, cards, nowMs }: Venue): WritesHere {
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
