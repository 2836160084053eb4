import { documented, refusal } from '../endpoint.ts'
import { keyWithoutVenue } from '../failures.ts'
import { listOf, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'

/**
 * A booking status that the venue uses. `statusType` is its meaning, `name` is its label, and `code` is the venue's own
 * code, which requests use. Source: "Supporting objects".
 */
export const bookingStatus = schema((z) => lenientObject(z, { statusType: text(z), code: text(z), name: text(z) }))

/** The service's response to a status code that the venue does not use. Source: "POST /Reservations". */
export const invalidStatus = refusal(400, 'Invalid booking status {status}', {
  hint: 'see the codes that the venue uses: partner bookings statuses',
})

/** Lists the venue's booking statuses. Source: "GET /Resources/booking-statuses". */
export const listBookingStatuses = documented('bookings.statuses', 'GET /Resources/booking-statuses', {
  summary: 'List the booking statuses of the venue',
  write: 'none',
  touches: [],
  responses: { 200: listOf(bookingStatus) },
  list: { member: null, paging: 'none' },
  failures: { keyWithoutVenue },
})

/** The status of a booking that is created without a status. Source: "Booking status". */
export const DEFAULT_STATUS = 'Unconfirmed'

/** The statuses in the specification and in the sandbox. A venue may have others. Source: "Booking status". */
export const STANDARD_STATUSES = [
  { statusType: 'standard', code: DEFAULT_STATUS, name: 'Unconfirmed' },
  { statusType: 'standard', code: 'CONFIRMED', name: 'Confirmed' },
  { statusType: 'standard', code: 'ARRIVED', name: 'Arrived' },
  { statusType: 'standard', code: 'SEATED', name: 'Seated' },
  { statusType: 'standard', code: 'FINISHED', name: 'Finished' },
  { statusType: 'standard', code: 'NOSHOW', name: 'No show' },
  { statusType: 'standard', code: 'CANCELLED', name: 'Cancelled' },
] as const

export const STATUSES_ENDPOINTS = { [listBookingStatuses.id]: listBookingStatuses } as const
