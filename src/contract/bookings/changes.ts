import { endpoint, refusal } from '../endpoint.ts'
import { anything, decimal, integer, MAX_INT32, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'
import { bookingNotFound } from './booking.ts'
import { reservationFailures, reservationRequest, reservationResponse } from './reservations.ts'
import { invalidStatus } from './statuses.ts'

/** Seats a walk-in at once, without checking the schedule. Source: "Difference from POST /Bookings". */
export const createBooking = endpoint({
  id: 'bookings.create',
  summary: 'Seat a walk-in',
  method: 'POST',
  path: '/Bookings',
  standing: 'assumed',
  source: 'Difference from POST /Bookings (walk-in)',
  auth: 'api-key',
  write: 'once',
  touches: ['bookings', 'customers'],
  causes: 'BOOKING_CREATED',
  body: schema((z) =>
    reservationRequest(z).partial({ serviceId: true, sectionId: true, customer: true }).superRefine(requireTime),
  ),
  answer: 'any',
  responses: { 201: reservationResponse },
  failures: {
    invalidStatus,
    invalidTime: reservationFailures.invalidTime,
    unknownTable: reservationFailures.unknownTable,
    duplicateTables: reservationFailures.duplicateTables,
    unexpected: refusal(500, 'An error occurred. Unable to create new booking.', { standing: 'assumed' }),
  },
})

function requireTime(
  request: { time?: string | undefined; bookingTimeAsUtc?: string | undefined },
  context: RefineContext,
) {
  if (request.time === undefined && request.bookingTimeAsUtc === undefined)
    context.addIssue({ code: 'custom', path: ['time'], message: 'time or bookingTimeAsUtc is required' })
}
interface RefineContext {
  addIssue(issue: { code: 'custom'; path: string[]; message: string }): void
}

/** Changes the booking that the body names. Source: "Other endpoints"; the shape is assumed. */
export const updateBooking = endpoint({
  id: 'bookings.update',
  summary: 'Change a booking',
  method: 'POST',
  path: '/Bookings/UpdateBookingAsync',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'customers'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) =>
    reservationRequest(z)
      .partial({ numOfPeople: true, serviceId: true, sectionId: true, customer: true })
      .extend({ bookingId: z.string().min(1) })
      .superRefine(requireTime),
  ),
  answer: 'any',
  responses: { 201: reservationResponse },
  failures: {
    invalidStatus,
    invalidTime: reservationFailures.invalidTime,
    invalidService: { ...reservationFailures.invalidService, standing: 'assumed' },
    unknownTable: reservationFailures.unknownTable,
    duplicateTables: reservationFailures.duplicateTables,
    notFound: refusal(404, 'bookingId: {bookingId} not found', { standing: 'assumed', code: 'NOT_FOUND' }),
    unexpected: refusal(500, 'An error occurred. Unable to Update booking.', { standing: 'assumed' }),
  },
})

/** The answer to the smaller changes; `amountSpent` in currency units. Assumed. */
export const bookingReceipt = schema((z) =>
  lenientObject(z, {
    bookingId: text(z),
    bookingRef: text(z),
    amountSpent: decimal(z).nullish(),
    status: text(z),
    pax: integer(z),
  }),
)

const receiptNotFound = refusal(404, 'bookingId: {bookingId} not found', {
  standing: 'assumed',
  code: 'NOT_FOUND',
  hint: bookingNotFound.hint,
})

/** Changes the number of guests. Source: "Other endpoints"; the shape is assumed. */
export const updatePax = endpoint({
  id: 'bookings.update-pax',
  summary: 'Change the party size of a booking',
  method: 'PATCH',
  path: '/Bookings/{bookingId}/updatepax',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ pax: z.int().min(1).max(MAX_INT32) })),
  answer: 'any',
  responses: { 200: bookingReceipt },
  failures: {
    invalidPax: refusal(400, 'The value of Pax must be greater than 0', { standing: 'assumed' }),
    notFound: receiptNotFound,
  },
})

/** Changes the status, which is given by its code. Source: "Other endpoints"; the shape is assumed. */
export const updateStatus = endpoint({
  id: 'bookings.update-status',
  summary: 'Change the status of a booking',
  method: 'PATCH',
  path: '/Bookings/{bookingId}/updatestatus',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ status: z.string().min(1) })),
  answer: 'any',
  responses: { 200: bookingReceipt },
  failures: { invalidStatus, notFound: receiptNotFound },
})

/** Changes the tables, which are given by name and section, not by ID. Source: "Other endpoints"; the shape is assumed. */
export const updateTables = endpoint({
  id: 'bookings.update-tables',
  summary: 'Change the tables of a booking',
  method: 'PATCH',
  path: '/Bookings/{bookingId}/updatetables',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) =>
    z.object({
      tables: z.array(z.object({ name: z.string().min(1), section: z.string().min(1) })).min(1),
      allowTableBookingConflict: z.boolean().optional(),
    }),
  ),
  answer: 'any',
  responses: { 200: anything },
  failures: {
    noTables: refusal(400, 'No tables provided', { standing: 'assumed' }),
    duplicateTables: reservationFailures.duplicateTables,
    unknownTable: refusal(400, "Table '{name}' in section '{section}' not found", {
      standing: 'assumed',
      hint: 'see the tables and their sections: partner bookings tables --date today; nothing was changed',
    }),
    conflict: refusal(400, "Table '{name}' is already booked at that time", {
      standing: 'assumed',
      hint: 'choose another table, or put both bookings on it with --allow-conflict',
    }),
    notFound: receiptNotFound,
  },
})

/** The endpoints of this file, by their ids. */
export const CHANGES_ENDPOINTS = {
  [createBooking.id]: createBooking,
  [updateBooking.id]: updateBooking,
  [updatePax.id]: updatePax,
  [updateStatus.id]: updateStatus,
  [updateTables.id]: updateTables,
} as const
