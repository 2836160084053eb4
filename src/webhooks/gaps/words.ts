import { formatCount } from '../../base/counted.ts'
import { Failure } from '../../base/failure/failure.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { countByClass } from './by-hour.ts'
import type { Span } from './change.ts'
import type { Comparison, GapClass } from './compare.ts'
import { isRepaired, type RepairResult } from './repair.ts'

/**
 * Returns lines that describe what was compared. `wantsCards` is true if gift cards were requested, and `hasCards` if
 * this kind of copy can contain their snapshots.
 */
export function describeComparison(
  comparison: Comparison,
  { wantsCards, hasCards }: { readonly wantsCards: boolean; readonly hasCards: boolean },
): string[] {
  const { bookings, cards, snapshots, unreadable, elsewhere } = comparison
  const lines: string[] = []
  if (bookings) lines.push(`bookings: compared ${spanText(bookings)}`)
  if (cards) lines.push(`gift cards: compared ${spanText(cards)}, from ${snapshots} snapshots`)
  else if (wantsCards && hasCards)
    lines.push(
      `gift cards: not compared, because a comparison requires two dated snapshots, but the copy has ${snapshots === 0 ? 'none' : 'only one'} in this period; each run of giftcards sync adds one`,
    )
  else if (wantsCards)
    lines.push('gift cards: not compared, because only a .db file or PostgreSQL stores dated snapshots')
  const counts = (what: string, ...all: readonly (readonly [count: number, one: string, many: string])[]) => {
    const some = all.filter(([count]) => count > 0).map((one) => formatCount(...one))
    if (some.length > 0) lines.push(`${what}: ${some.join(' and ')}`)
  }
  counts(
    'too recent to judge',
    [comparison.pendingChanges, 'change without an event', 'changes without an event'],
    [comparison.pendingEvents, 'event without a change', 'events without a change'],
  )
  counts(
    'skipped',
    [unreadable, 'delivery of an unknown event', 'deliveries of unknown events'],
    [elsewhere, 'delivery for another venue', 'deliveries for other venues'],
  )
  return lines
}

/** For each event that should have been delivered but never was, returns a hint to check its subscription. */
export function silentEventHints({ gaps, deliveries }: Comparison): string[] {
  const silent = new Set(
    gaps.filter((gap) => gap.class === 'missing' && !deliveries.has(gap.event)).map(({ event }) => event),
  )
  return [...silent].map(
    (event) => `no ${event} was delivered; check that there is a subscription for it: partner webhooks list`,
  )
}

/** Returns the totals, such as `40 changes, 41 deliveries: 2 missing, 1 late`. */
export function totalLine(comparison: Comparison): string {
  const { changes, deliveries } = comparison
  const found = foundText(countByClass(comparison)) || 'no gaps'
  return `${formatCount(changes.total, 'change', 'changes')}, ${formatCount(deliveries.total, 'delivery', 'deliveries')}: ${found}`
}

/** Returns the result of a repair, such as `repaired: 2 of 3 missing events`. */
export function repairLine(repairs: readonly RepairResult[]): string {
  if (repairs.length === 0) return 'no event is missing; nothing was sent'
  return `repaired: ${repairs.filter(isRepaired).length} of ${repairs.length} missing events`
}

/** Returns the failure (exit code 11) for gaps that were not repaired, or `null` if there are none. */
export function gapsFailure(comparison: Comparison, repairs: readonly RepairResult[] | null): Failure | null {
  const counts = countByClass(comparison)
  const found = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const repaired = repairs?.filter(isRepaired).length ?? 0
  if (found === repaired) return null
  const details = { ...counts, ...(repairs === null ? {} : { repaired }) }
  const unrepaired = repairs === null ? 0 : repairs.length - repaired
  if (unrepaired > 0)
    return new Failure('PARTIAL_FAILURE', `${unrepaired} of ${repairs?.length} missing events could not be repaired`, {
      hint: 'the receiver must respond with 2xx: check its log, then run the command again',
      details,
    })
  const left = { ...counts, missing: counts.missing - repaired }
  return new Failure('PARTIAL_FAILURE', `the deliveries do not match the changes: ${foundText(left)}`, {
    hint: left.missing > 0 ? 'send the missing events with --repair --to URL' : HARMLESS,
    details,
  })
}

const HARMLESS =
  'no event is missing; a receiver must tolerate duplicate events, late events, and events that do not match a change'

function foundText(counts: Readonly<Record<GapClass, number>>): string {
  return CLASSES.filter((found) => counts[found] > 0)
    .map((found) => `${counts[found]} ${found}`)
    .join(', ')
}

const CLASSES = ['missing', 'extra', 'late', 'duplicate'] as const satisfies GapClass[]

function spanText({ fromMs, toMs }: Span): string {
  return `from ${toWireTime(fromMs)} to ${toWireTime(toMs)}`
}
