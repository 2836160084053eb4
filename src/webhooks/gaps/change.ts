import { subjectKindOf, WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { CardChange } from '../../sync/copy.ts'

/**
 * A change that happened after `afterMs` and no later than `byMs`, or exactly then if both are equal. Epoch
 * milliseconds, by the service's clock.
 */
export interface Change {
  readonly afterMs: number
  readonly byMs: number
  readonly isCertain: boolean
}

/** The versions of a booking in a copy. */
export interface BookingVersions {
  /** The time at which the booking was made, epoch milliseconds; `null` if unknown. */
  readonly bookedMs: number | null
  /** The modification times of the versions, in any order, epoch milliseconds. */
  readonly versionsMs: readonly number[]
}

/** A period of time. Epoch milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The changes of one booking or card that must or may have caused an event, according to a copy. */
export interface Expected {
  readonly changes: readonly Change[]
  /** Periods in which changes may have happened that no sync recorded. */
  readonly unseen: readonly Span[]
}

/** The expectations for each event. An event without an entry is not expected at all. */
export type ExpectedEvents = ReadonlyMap<WebhookEvent, Expected>

/** A version modified this soon after the booking was made may be the original version. Milliseconds. */
const CREATION_SLACK_MS = 1000

/** Returns the events of a booking. Assumed: one BOOKING_CREATED, and BOOKING_UPDATED for each later version. */
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
 * Returns the events of a gift card. Assumed: CREATED for a new card, REDEEMED if the balance went down, CANCELLED for
 * a cancellation, and UPDATED for any other change.
 */
export function eventsOfCard(changes: readonly CardChange[]): ExpectedEvents {
  const expected = new Map<WebhookEvent, { changes: Change[]; unseen: Span[] }>(
    CARD_EVENTS.map((event) => [event, { changes: [], unseen: [] }]),
  )
  for (const change of changes) {
    const { afterMs, byMs } = change
    for (const event of eventsOfChange(change)) expected.get(event)?.changes.push({ afterMs, byMs, isCertain: true })
    // A card may change more than once between two snapshots. A new card may have been cancelled as well, and nothing
    // is known about a card that disappeared or reappeared.
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
  // A cancellation may set the balance to zero, which is not a redemption.
  if (isCancelled) return isLess && left > 0 ? ['GIFTCARDS_REDEEMED', 'GIFTCARDS_CANCELLED'] : ['GIFTCARDS_CANCELLED']
  return isLess ? ['GIFTCARDS_REDEEMED'] : ['GIFTCARDS_UPDATED']
}
