import type { WebhookEvent } from '../../contract/events.ts'
import type { CardChange } from '../../sync/copy.ts'

/**
 * A change that must have caused an event, or, where that is not certain, may have. It happened after `afterMs` and by `byMs`
 * (epoch milliseconds, by the service's clock); where they are the same, at that time.
 */
export interface Change {
  readonly afterMs: number
  readonly byMs: number
  readonly isCertain: boolean
}

/** The versions of a booking that a copy has. */
export interface SeenBooking {
  /** Epoch milliseconds; null: it does not say. */
  readonly bookedMs: number | null
  /** When each version was last changed, in any order, epoch milliseconds. */
  readonly versionsMs: readonly number[]
}

/** A span of time in which more may have changed than a copy shows. Epoch milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What a copy says of one event of one booking or card. */
export interface Expected {
  /** In order. */
  readonly changes: readonly Change[]
  /** When an event may have come of a change that was overwritten before a sync saw it. */
  readonly unseen: readonly Span[]
}

/** By event; an event that is missing is not expected at all. */
export type ExpectedEvents = ReadonlyMap<WebhookEvent, Expected>

/** A version that is dated so shortly after the booking was made may be the one in which it was made. */
const MAKING_MS = 1000

/**
 * Which events the versions of a booking caused: BOOKING_CREATED when it was made, BOOKING_UPDATED for each later version. Assumed:
 * the specification does not say which change causes which event.
 */
export function eventsOfBooking({ bookedMs, versionsMs }: SeenBooking): ExpectedEvents {
  const versions = [...new Set(versionsMs)].sort((a, b) => a - b)
  const madeMs = bookedMs ?? Number.NEGATIVE_INFINITY
  const updates = versions
    .filter((ms) => ms > madeMs)
    .map((ms) => ({ afterMs: ms, byMs: ms, isCertain: ms > madeMs + MAKING_MS }))
  const lastMs = versions.at(-1)
  return new Map<WebhookEvent, Expected>([
    [
      'BOOKING_CREATED',
      { changes: bookedMs === null ? [] : [{ afterMs: bookedMs, byMs: bookedMs, isCertain: true }], unseen: [] },
    ],
    ['BOOKING_UPDATED', { changes: updates, unseen: lastMs === undefined ? [] : [{ fromMs: madeMs, toMs: lastMs }] }],
  ])
}

/**
 * Which events the changes of a gift card caused, from one snapshot to the next: GIFTCARDS_CREATED for a new one, GIFTCARDS_REDEEMED
 * where less is left, GIFTCARDS_CANCELLED, and GIFTCARDS_UPDATED for any other change. Assumed, as for bookings.
 */
export function eventsOfCard(changes: readonly CardChange[]): ExpectedEvents {
  const expected = new Map<WebhookEvent, { changes: Change[]; unseen: Span[] }>(
    CARD_EVENTS.map((event) => [event, { changes: [], unseen: [] }]),
  )
  for (const change of changes) {
    const { afterMs, byMs } = change
    for (const event of eventsOfChange(change)) expected.get(event)?.changes.push({ afterMs, byMs, isCertain: true })
    // Between two snapshots a card may change more than once.
    for (const event of REPEATABLE) expected.get(event)?.unseen.push({ fromMs: afterMs, toMs: byMs })
    // One that appeared may have been cancelled since it was made, and of one that went or came back nothing is known.
    if (change.change !== 'changed')
      for (const event of CARD_EVENTS) expected.get(event)?.unseen.push({ fromMs: afterMs, toMs: byMs })
  }
  return expected
}

const CARD_EVENTS = [
  'GIFTCARDS_CREATED',
  'GIFTCARDS_UPDATED',
  'GIFTCARDS_CANCELLED',
  'GIFTCARDS_REDEEMED',
] as const satisfies WebhookEvent[]

const REPEATABLE = ['GIFTCARDS_UPDATED', 'GIFTCARDS_REDEEMED'] as const satisfies WebhookEvent[]

function eventsOfChange(card: CardChange): WebhookEvent[] {
  if (card.change === 'went' || card.change === 'returned') return []
  if (card.change === 'appeared') return ['GIFTCARDS_CREATED']
  const { remainingCents: left, previousRemainingCents: leftBefore } = card
  const isLess = left !== null && leftBefore !== null && left < leftBefore
  const isCancelled = card.status === 'Cancelled' && card.previousStatus !== 'Cancelled'
  // Nothing may be left on a card because it was cancelled.
  if (isCancelled) return isLess && left > 0 ? ['GIFTCARDS_REDEEMED', 'GIFTCARDS_CANCELLED'] : ['GIFTCARDS_CANCELLED']
  return isLess ? ['GIFTCARDS_REDEEMED'] : ['GIFTCARDS_UPDATED']
}
