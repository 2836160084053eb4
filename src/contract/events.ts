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

/** One of {@link WEBHOOK_EVENTS}. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The event that a person means by a name, in any case; null if there is none. */
export function eventNamed(typed: string): WebhookEvent | null {
  const name = typed.trim().toUpperCase()
  return WEBHOOK_EVENTS.find((event) => event === name) ?? null
}

/** What an event is about: a booking, by its ID, or a gift card, by its number. */
export type SubjectKind = 'booking' | 'card'

/** The member of `data` that names what an event is about. Assumed: the specification does not show the payload. */
export const SUBJECT_MEMBERS = { booking: 'bookingId', card: 'cardNumber' } as const satisfies Record<
  SubjectKind,
  string
>

/** The headers of a delivery that carry the credentials of its subscription. Assumed: the specification does not name them. */
export const CREDENTIAL_HEADERS = { securityKey: 'X-Security-Key', securityToken: 'X-Security-Token' } as const

/** How long a receiver has to answer a delivery. Milliseconds. Assumed. */
export const ANSWER_WITHIN_MS = 5000

/** What an event is about, by its name. */
export function subjectKindOf(event: WebhookEvent): SubjectKind {
  return event.startsWith('BOOKING') ? 'booking' : 'card'
}

/** The body of a delivery: a thin event, whose receiver fetches the rest. Assumed, as {@link SUBJECT_MEMBERS}. */
export function eventBody(event: WebhookEvent, subject: string, locationId: string | null): JsonObject {
  return { eventType: event, data: { [SUBJECT_MEMBERS[subjectKindOf(event)]]: subject, locationId } }
}
