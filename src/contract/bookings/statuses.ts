import { endpoint, refusal } from '../endpoint.ts'
import { keyWithoutVenue } from '../failures.ts'
import { listOf, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'

/** `statusType` is the semantic type, `code` the venue's own machine code (what is sent), `name` the label. Source: "Supporting objects". */
export const bookingStatus = schema((z) => lenientObject(z, { statusType: text(z), code: text(z), name: text(z) }))

/** The refusal of a status code that the venue does not have; shared by all that set one. Source: "POST /Reservations". */
export const invalidStatus = refusal(400, 'Invalid booking status {status}', {
  hint: 'see the codes of this venue: partner bookings statuses',
})

/** The statuses of this venue. Source: "GET /Resources/booking-statuses". */
export const listBookingStatuses = endpoint({
  id: 'bookings.statuses',
  method: 'GET',
  path: '/Resources/booking-statuses',
  standing: 'documented',
  source: 'GET /Resources/booking-statuses',
  auth: 'api-key',
  write: 'none',
  touches: [],
  responses: { 200: listOf(bookingStatus) },
  list: { member: null, paging: 'none' },
  failures: { keyWithoutVenue },
})
