import { subjectKindOf, WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/events.ts'
import type { CardChange } from '../../sync/copy.ts'

/** A change after `afterMs` and by `byMs` (or exactly then). Epoch milliseconds, by the service's clock. */
export interface Change {
  readonly afterMs: number
  readonly byMs: number
  readonly isCertain: boolean
}

/** The versions of a booking that a copy has. */
export interface SeenBooking {
  /** Epoch milliseconds; null if unknown. */
  readonly bookedMs: number | null
  /** The change dates of the versions, in any order, epoch milliseconds. */
  readonly versionsMs: readonly number[]
}

/** A span of time. Epoch milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What a copy implies for one event of one booking or card. */
export interface Expected {
  readonly changes: readonly Change[]
  readonly unseen: readonly Span[]
}

/** A missing event is not expected at all. */
export type ExpectedEvents = ReadonlyMap<WebhookEvent, Expected>

/** A version dated this soon after the booking may be the first one. */
const MAKING_MS = 1000

/** Assumed: BOOKING_CREATED for the booking, BOOKING_UPDATED for each later version. */
export function eventsOfBooking({ bookedMs, versionsMs }: SeenBooking): ExpectedEvents {
  const versions = [...new Set(versionsMs)].sort((a, b) => a - b)
  const madeMs = bookedMs ?? Number.NEGATIVE_INFINITY
  const updates = versions
    .filter((ms) => ms > madeMs)
    .map((ms) => ({ afterMs: ms, byMs: ms, isCertain: ms > madeMs + MAKING_MS }))
  const created = bookedMs === null ? [] : [{ afterMs: bookedMs, byMs: bookedMs, isCertain: true }]
  const unseen = versions.slice(-1).map((toMs) => ({ fromMs: madeMs, toMs }))
  return new Map<WebhookEvent, Expected>([
    ['BOOKING_CREATED', { changes: created, unseen: [] }],
    ['BOOKING_UPDATED', { changes: updates, unseen }],
  ])
}

/** Assumed: created, redeemed if less is left, cancelled, and updated for any other change. */
export function eventsOfCard(changes: readonly CardChange[]): ExpectedEvents {
  const expected = new Map<WebhookEvent, { changes: Change[]; unseen: Span[] }>(
    CARD_EVENTS.map((event) => [event, { changes: [], unseen: [] }]),
  )
  for (const change of changes) {
    const { afterMs, byMs } = change
    for (const event of eventsOfChange(change)) expected.get(event)?.changes.push({ afterMs, byMs, isCertain: true })
    // Between two snapshots a card may change more than once. A new card may also have been cancelled, and of one that
    // went or came back nothing is known.
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
  // A cancellation may empty a card.
  if (isCancelled) return isLess && left > 0 ? ['GIFTCARDS_REDEEMED', 'GIFTCARDS_CANCELLED'] : ['GIFTCARDS_CANCELLED']
  return isLess ? ['GIFTCARDS_REDEEMED'] : ['GIFTCARDS_UPDATED']
}
