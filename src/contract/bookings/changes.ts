import type * as z from 'zod'
import { assumed, assumedRefusal } from '../endpoint.ts'
import { anything, decimal, integer, MAX_INT32, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'
import { bookingNotFound } from './booking.ts'
import { reservationFailures, reservationRequest, reservationResponse } from './reservations.ts'
import { invalidStatus } from './statuses.ts'

const { invalidTime, unknownTable, duplicateTables } = reservationFailures

/** Creates a booking for walk-in guests, without checking the schedule. Source: "Difference from POST /Bookings". */
export const createBooking = assumed('bookings.create', 'POST /Bookings', {
  summary: 'Seat a walk-in',
  source: 'Difference from POST /Bookings (walk-in)',
  write: 'once',
  touches: ['bookings', 'customers'],
  causes: 'BOOKING_CREATED',
  body: schema((z) =>
    reservationRequest(z).partial({ serviceId: true, sectionId: true, customer: true }).superRefine(requireTime),
  ),
  answer: 'any',
  responses: { 201: reservationResponse },
  failures: {
    ...{ invalidStatus, invalidTime, unknownTable, duplicateTables },
    unexpected: assumedRefusal(500, 'An error occurred. Unable to create new booking.'),
  },
})

type Times = { readonly time?: string | undefined; readonly bookingTimeAsUtc?: string | undefined }

function requireTime({ time, bookingTimeAsUtc }: Times, context: Pick<z.RefinementCtx, 'addIssue'>): void {
  if (time === undefined && bookingTimeAsUtc === undefined)
    context.addIssue({ code: 'custom', path: ['time'], message: 'time or bookingTimeAsUtc is required' })
}

/** Changes the booking whose ID is in the body. Source: "Other endpoints"; the shape is assumed. */
export const updateBooking = assumed('bookings.update', 'POST /Bookings/UpdateBookingAsync', {
  summary: 'Change a booking',
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
    ...{ invalidStatus, invalidTime },
    invalidService: { ...reservationFailures.invalidService, standing: 'assumed' },
    ...{ unknownTable, duplicateTables },
    notFound: assumedRefusal(404, 'bookingId: {bookingId} not found', { code: 'NOT_FOUND' }),
    unexpected: assumedRefusal(500, 'An error occurred. Unable to Update booking.'),
  },
})

/**
 * The response to changing a single property. `amountSpent` is in currency units. The shape is assumed: the
 * specification does not describe it.
 */
export const bookingReceipt = schema((z) =>
  lenientObject(z, {
    bookingId: text(z),
    bookingRef: text(z),
    amountSpent: decimal(z).nullish(),
    status: text(z),
    pax: integer(z),
  }),
)

const receiptNotFound = assumedRefusal(404, 'bookingId: {bookingId} not found', {
  code: 'NOT_FOUND',
  hint: bookingNotFound.hint,
})

/** Changes the number of guests in a booking. Source: "Other endpoints"; the shape is assumed. */
export const updatePax = assumed('bookings.update-pax', 'PATCH /Bookings/{bookingId}/updatepax', {
  summary: 'Change the party size of a booking',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ pax: z.int().min(1).max(MAX_INT32) })),
  answer: 'any',
  responses: { 200: bookingReceipt },
  failures: { invalidPax: assumedRefusal(400, 'The value of Pax must be greater than 0'), notFound: receiptNotFound },
})

/**
 * Changes a booking's status. The new status is identified by its code. Source: "Other endpoints"; the shape is
 * assumed.
 */
export const updateStatus = assumed('bookings.update-status', 'PATCH /Bookings/{bookingId}/updatestatus', {
  summary: 'Change the status of a booking',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ status: z.string().min(1) })),
  answer: 'any',
  responses: { 200: bookingReceipt },
  failures: { invalidStatus, notFound: receiptNotFound },
})

/**
 * Changes a booking's tables. Tables are identified by name and section, not by ID. Source: "Other endpoints"; the
 * shape is assumed.
 */
export const updateTables = assumed('bookings.update-tables', 'PATCH /Bookings/{bookingId}/updatetables', {
  summary: 'Change the tables of a booking',
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
    noTables: assumedRefusal(400, 'No tables provided'),
    duplicateTables,
    unknownTable: assumedRefusal(400, "Table '{name}' in section '{section}' not found", {
      hint: 'see the tables and their sections: partner bookings tables --date today; nothing was changed',
    }),
    conflict: assumedRefusal(400, "Table '{name}' is already booked at that time", {
      hint: 'choose another table, or assign both bookings to this one with --allow-conflict',
    }),
    notFound: receiptNotFound,
  },
})

export const CHANGES_ENDPOINTS = {
  [createBooking.id]: createBooking,
  [updateBooking.id]: updateBooking,
  [updatePax.id]: updatePax,
  [updateStatus.id]: updateStatus,
  [updateTables.id]: updateTables,
} as const
