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

/** Returns the event whose name the user typed, ignoring case, or `null` if there is none. */
export function parseEventName(typed: string): WebhookEvent | null {
  const name = typed.trim().toUpperCase()
  return WEBHOOK_EVENTS.find((event) => event === name) ?? null
}

/** What an event is about: a booking, identified by its ID, or a gift card, identified by its number. */
export type SubjectKind = 'booking' | 'card'

/**
 * The member of `data` that identifies the booking or card. This is an assumption: the specification does not show the
 * payload.
 */
export const SUBJECT_MEMBERS = { booking: 'bookingId', card: 'cardNumber' } as const satisfies Record<
  SubjectKind,
  string
>

/**
 * The delivery headers that contain the subscription's credentials. These names are assumptions: the specification does
 * not contain them.
 */
export const CREDENTIAL_HEADERS = { securityKey: 'X-Security-Key', securityToken: 'X-Security-Token' } as const

/** The time limit for a receiver's response, in milliseconds. This is an assumption: the specification does not say. */
export const ANSWER_TIMEOUT_MS = 5000

export function subjectKindOf(event: WebhookEvent): SubjectKind {
  return event.startsWith('BOOKING') ? 'booking' : 'card'
}

/**
 * Returns the body of a webhook delivery. It only identifies the booking or card, and the receiver then requests the
 * details. This is an assumption: the specification does not show the payload.
 */
export function eventBody(event: WebhookEvent, subject: string, locationId: string | null): JsonObject {
  return { eventType: event, data: { [SUBJECT_MEMBERS[subjectKindOf(event)]]: subject, locationId } }
}
