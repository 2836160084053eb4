import { subjectKindOf, WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { CardChange } from '../../sync/copy.ts'

/**
 * A change that happened after `afterMs` and no later than `byMs`. If both times are equal, the change happened exactly
 * at that time. Times are in epoch milliseconds, according to the service's clock.
 */
export interface Change {
  readonly afterMs: number
  readonly byMs: number
  readonly isCertain: boolean
}

/** The versions of a booking that a copy contains. */
export interface BookingVersions {
  /** When the booking was created, in epoch milliseconds, or `null` if unknown. */
  readonly bookedMs: number | null
  /** The modification times of the versions in epoch milliseconds, in any order. */
  readonly versionsMs: readonly number[]
}

/** A period of time, in epoch milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The changes to one booking or card that, according to a copy, should or could have triggered an event. */
export interface Expected {
  readonly changes: readonly Change[]
  /** Periods in which changes may have happened that no sync recorded. */
  readonly unseen: readonly Span[]
}

/** For each event, the changes that should have triggered it. Events without an entry are not expected. */
export type ExpectedEvents = ReadonlyMap<WebhookEvent, Expected>

/** A version that was modified at most this many milliseconds after the booking was created may be the original one. */
const CREATION_SLACK_MS = 1000

/**
 * Returns the events that a booking should have triggered. Assumes one BOOKING_CREATED, and one BOOKING_UPDATED for
 * each later version.
 */
export function eventsOfBooking({ bookedMs, versionsMs }: BookingVersions): ExpectedEvents {
  const versions = [...new Set(versionsMs)].sort((a, b) => a - b)
  const madeMs = bookedMs ?? Number.NEGATIVE_INFINITY
  const updates = versions
    .filter((ms) => ms > madeMs)
    .map((ms) => ({ afterMs: ms, byMs: ms, isCertain: ms > madeMs + CREATION_SLACK_MS }))
  const created = bookedMs === null ? [] : [{ afterMs: bookedMs, byMs: bookedMs, isCertain: true }]
  const unseen = versions.slice(-1).map((toMs) => ({ fromMs: madeMs, toMs }))
  return new Map<WebhookEvent, Expected>([
    ['BOOKING_CREATED', { changes: created, unseen: [] }],
    ['BOOKING_UPDATED', { changes: updates, unseen }],
  ])
}

/**
 * Returns the events that a gift card should have triggered. Assumes CREATED for a new card, REDEEMED if the balance
 * decreased, CANCELLED for a cancellation, and UPDATED for any other change.
 */
export function eventsOfCard(changes: readonly CardChange[]): ExpectedEvents {
  const expected = new Map<WebhookEvent, { changes: Change[]; unseen: Span[] }>(
    CARD_EVENTS.map((event) => [event, { changes: [], unseen: [] }]),
  )
  for (const change of changes) {
    const { afterMs, byMs } = change
    for (const event of eventsOfChange(change)) expected.get(event)?.changes.push({ afterMs, byMs, isCertain: true })
    // A card can change more than once between two snapshots. A new card might already have been cancelled. If a card
    // disappeared or reappeared, nothing is known about its changes.
    for (const event of change.change === 'changed' ? REPEATABLE : CARD_EVENTS)
      expected.get(event)?.unseen.push({ fromMs: afterMs, toMs: byMs })
  }
  return expected
}

const CARD_EVENTS = WEBHOOK_EVENTS.filter((event) => subjectKindOf(event) === 'card')
const REPEATABLE = ['GIFTCARDS_UPDATED', 'GIFTCARDS_REDEEMED'] as const satisfies WebhookEvent[]

function eventsOfChange(card: CardChange): WebhookEvent[] {
  if (card.change === 'went' || card.change === 'returned') return []
  if (card.change === 'appeared') return ['GIFTCARDS_CREATED']
  const { remainingCents: left, previousRemainingCents: leftBefore } = card
  const isLess = left !== null && leftBefore !== null && left < leftBefore
  const isCancelled = card.status === 'Cancelled' && card.previousStatus !== 'Cancelled'
  // A cancellation can set the balance to zero, which is not a redemption.
  if (isCancelled) return isLess && left > 0 ? ['GIFTCARDS_REDEEMED', 'GIFTCARDS_CANCELLED'] : ['GIFTCARDS_CANCELLED']
  return isLess ? ['GIFTCARDS_REDEEMED'] : ['GIFTCARDS_UPDATED']
}
