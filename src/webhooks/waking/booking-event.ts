import { parseEventName, subjectKindOf } from '../../contract/events.ts'
import type { ReadEvent } from '../events/read-event.ts'

/** An event about a booking. A member is `null` if it is unknown. */
export interface BookingEvent {
  readonly subject: string | null
  readonly locationId: string | null
}

/** A placeholder for events that may have been missed. */
export const UNSEEN: BookingEvent = { subject: null, locationId: null }

export interface EventWatch {
  /** Called with events about bookings as soon as they arrive. */
  readonly onEvents: (events: readonly BookingEvent[]) => void
  /** Called with a message when reading events fails and when it works again. */
  readonly report: (line: string) => void
}

/** Returns the event, or `null` if it is not about a booking. */
export function toBookingEvent({ event, kind, subject, locationId }: ReadEvent): BookingEvent | null {
  const name = parseEventName(event ?? '')
  const isAboutBooking = name === null ? kind === 'booking' : subjectKindOf(name) === 'booking'
  return isAboutBooking ? { subject: kind === 'booking' ? subject : null, locationId } : null
}
