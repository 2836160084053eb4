import type { JsonObject } from '../base/json/exact.ts'

/** The events that a webhook can subscribe to. Source: "Events". */
export const WEBHOOK_EVENTS = [
  'BOOKING_CREATED',
  'BOOKING_UPDATED',
  'GIFTCARDS_CREATED',
  'GIFTCARDS_UPDATED',
  'GIFTCARDS_CANCELLED',
  'GIFTCARDS_REDEEMED',
] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The event that the user means, in any case; null for none. */
export function eventNamed(typed: string): WebhookEvent | null {
  const name = typed.trim().toUpperCase()
  return WEBHOOK_EVENTS.find((event) => event === name) ?? null
}

/** The subject of an event: a booking by ID, or a gift card by number. */
export type SubjectKind = 'booking' | 'card'

/** The member of `data` with the subject. Assumed: the specification does not show the payload. */
export const SUBJECT_MEMBERS = { booking: 'bookingId', card: 'cardNumber' } as const satisfies Record<
  SubjectKind,
  string
>

/** Headers with the credentials of a delivery's subscription. Assumed: the specification does not name them. */
export const CREDENTIAL_HEADERS = { securityKey: 'X-Security-Key', securityToken: 'X-Security-Token' } as const

/** The time limit for a receiver's answer. Milliseconds. Assumed. */
export const ANSWER_WITHIN_MS = 5000

export function subjectKindOf(event: WebhookEvent): SubjectKind {
  return event.startsWith('BOOKING') ? 'booking' : 'card'
}

/** The body of a delivery. It names the subject, and the receiver requests it. Assumed, as {@link SUBJECT_MEMBERS}. */
export function eventBody(event: WebhookEvent, subject: string, locationId: string | null): JsonObject {
  return { eventType: event, data: { [SUBJECT_MEMBERS[subjectKindOf(event)]]: subject, locationId } }
}
