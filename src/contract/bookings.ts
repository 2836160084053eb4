import { customer } from './customers.ts'
import { endpoint, refusal } from './endpoint.ts'
import { reservationFailures, reservationRequest, reservationResponse } from './reservations.ts'
import { invalidStatus } from './resources.ts'
import { anything, decimal, integer, listOf, MAX_INT32, queryInstant, text } from './shapes/scalars.ts'
import { lenientObject, schema } from './shapes/schema.ts'

export const bookingTable = schema((z) =>
  lenientObject(z, { tableId: text(z), tableName: text(z), sectionId: text(z), sectionName: text(z) }),
)

/** `tagType` is the category, `name` the value. Source: "Supporting objects". */
export const tag = schema((z) => lenientObject(z, { tagType: text(z), name: text(z) }))

/** Amounts are in currency units of `currencyCode` (ISO 4217). Source: "Supporting objects". */
export const paymentSummary = schema((z) =>
  lenientObject(z, {
    paymentType: text(z).describe('for example card, cash'),
    amount: decimal(z).nullish(),
    amountDue: decimal(z).nullish(),
    amountPaid: decimal(z).nullish(),
    transactionId: text(z).describe('of the payment gateway'),
    currencyCode: text(z).describe('ISO 4217'),
    paymentDate: text(z).describe('ISO 8601 instant'),
  }),
)

/** Source: "Supporting objects". */
export const extraOrderItem = schema((z) =>
  lenientObject(z, {
    name: text(z),
    label: text(z),
    price: decimal(z).nullish(),
    quantity: integer(z),
    paymentType: text(z).describe('PreAuth, Deposit, FullPayment, FunctionPayment or NoPayment'),
  }),
)

/** A pre-ordered or pre-paid item; `price` is for one. Source: "Supporting objects". */
export const orderItem = schema((z) =>
  lenientObject(z, {
    name: text(z),
    label: text(z),
    paymentType: text(z),
    price: decimal(z).nullish(),
    quantity: integer(z),
    extras: z.array(extraOrderItem(z)).nullish(),
  }),
)

/** Source: "Supporting objects". */
const statusOfBooking = schema((z) => lenientObject(z, { statusType: text(z), code: text(z), name: text(z) }))

/** Source: "Booking (response of GET /Bookings/{id})". `duration` in minutes, `people` in guests. */
export const booking = schema((z) =>
  lenientObject(z, {
    bookingId: text(z),
    locationId: text(z),
    method: text(z).describe('online, phone, walkin, pos, …'),
    bookedAt: text(z).describe('ISO 8601 instant of creation, UTC'),
    bookingTime: text(z).describe('venue-local date and time, no zone'),
    duration: integer(z).describe('minutes'),
    people: integer(z).describe('guests'),
    serviceId: text(z),
    serviceName: text(z),
    serviceType: text(z),
    lastModifiedDate: text(z).describe('ISO 8601 instant'),
    notes: text(z),
    customer: customer(z).nullish(),
    tables: z.array(bookingTable(z)).nullish(),
    tags: z.array(tag(z)).nullish(),
    status: statusOfBooking(z).nullish(),
    paymentSummary: paymentSummary(z).nullish(),
    items: z.array(orderItem(z)).nullish(),
  }),
)

const bookingNotFound = refusal(404, "Booking '{id}' not found.", {
  standing: 'assumed',
  code: 'NOT_FOUND',
  hint: 'check the id, and that this profile is for the right venue and environment: partner bookings list --from today',
})

/** One booking. Source: "GET /Bookings/{id}". */
export const getBooking = endpoint({
  id: 'bookings.get',
  method: 'GET',
  path: '/Bookings/{id}',
  standing: 'documented',
  source: 'GET /Bookings/{id}',
  auth: 'api-key',
  write: 'none',
  touches: ['bookings', 'customers'],
  responses: { 200: booking },
  failures: {
    invalidRequest: refusal(400, 'Invalid request.', { standing: 'assumed' }),
    locationNotFound: refusal(404, 'Location of the POS not found.', { standing: 'assumed', code: 'NOT_FOUND' }),
    noVenueAtLocation: refusal(404, 'No venue subscribed to the location.', { standing: 'assumed', code: 'NOT_FOUND' }),
    notFound: bookingNotFound,
    unexpected: refusal(500, 'An error occurred.', { standing: 'assumed', body: 'problem' }),
  },
})

/** Bookings by booking date or by date of change. Source: "Other endpoints"; names of parameters and the envelope are assumed. */
export const listBookings = endpoint({
  id: 'bookings.list',
  method: 'GET',
  path: '/Bookings',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'none',
  touches: ['bookings', 'customers'],
  query: schema((z) =>
    z.object({
      StartDate: queryInstant(z).optional(),
      EndDate: queryInstant(z).optional(),
      UpdatedFromDate: queryInstant(z).optional(),
      UpdatedToDate: queryInstant(z).optional(),
      ServiceName: z.string().optional(),
      IncludeCustomerDetails: z.boolean().optional(),
      IncludeCancelledBookings: z.boolean().optional(),
    }),
  ),
  responses: { 200: schema((z) => lenientObject(z, { count: integer(z), bookings: z.array(booking(z)) })) },
  list: { member: 'bookings', paging: 'none' },
  failures: { invalidDate: refusal(400, 'Invalid Date passed.', { standing: 'assumed' }) },
})

const section = schema((z) => lenientObject(z, { id: text(z), name: text(z), order: integer(z) }))

/** A service with the times it offers. `duration` in minutes, `time` an instant. Assumed. */
export const service = schema((z) =>
  lenientObject(z, {
    id: text(z),
    name: text(z),
    online: z.boolean().nullish(),
    duration: integer(z),
    description: text(z),
    serviceType: text(z),
    policyAgreement: z.boolean().nullish(),
    policyAgreementText: text(z),
    sections: z.array(section(z)).nullish(),
    times: z
      .array(
        lenientObject(z, {
          time: text(z),
          name: text(z),
          expired: z.boolean().nullish(),
          bookingOptionsCount: integer(z),
          sections: z.array(lenientObject(z, { id: text(z), sectionState: z.boolean().nullish() })).nullish(),
        }),
      )
      .nullish(),
    paymentDetails: lenientObject(z, {
      paymentType: text(z),
      peopleRequired: integer(z),
      price: decimal(z).nullish(),
      fee: decimal(z).nullish(),
      optionsFrom: text(z),
      optionsTo: text(z),
      maxPeoplePerBookingOverride: integer(z),
      hasPromotion: z.boolean().nullish(),
      singleMenuPerBooking: z.boolean().nullish(),
    }).nullish(),
  }),
)

export const scheduleDay = schema((z) =>
  lenientObject(z, {
    isVenueOpen: z.boolean().nullish(),
    blockoutMessage: text(z),
    services: z.array(service(z)).nullish(),
  }),
)

/** Services and times free for a party. Source: "Other endpoints"; the shape is assumed. */
export const getSchedule = endpoint({
  id: 'bookings.schedule',
  method: 'GET',
  path: '/Bookings/schedule',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'none',
  touches: ['bookings'],
  query: schema((z) =>
    z.object({
      BookingDateTimeStart: queryInstant(z),
      NumOfPeople: z.int().min(1).max(MAX_INT32),
      BookingDateTimeEnd: queryInstant(z).optional(),
      BookingId: z.string().optional(),
    }),
  ),
  responses: { 200: listOf(scheduleDay) },
  list: { member: null, paging: 'none' },
  failures: { invalidDate: refusal(400, 'Invalid Date passed.', { standing: 'assumed' }) },
})

const diaryTable = schema((z) =>
  lenientObject(z, {
    _id: text(z).describe('the table ID used when creating or updating'),
    name: text(z),
    capacity: integer(z),
    minCapacity: integer(z),
    shared: z.boolean().nullish(),
    online: z.boolean().nullish(),
    walkinOnly: z.boolean().nullish(),
    sectionId: text(z),
    sectionName: text(z),
  }),
)

const tablesOfSection = schema((z) =>
  lenientObject(z, {
    sectionName: text(z),
    sectionId: text(z),
    layoutId: text(z),
    layoutName: text(z),
    tables: z.array(diaryTable(z)).nullish(),
  }),
)

/** Tables free on a date for a duration. Source: "Other endpoints"; the shape is assumed. */
export const listTables = endpoint({
  id: 'bookings.tables',
  method: 'GET',
  path: '/Bookings/tables',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'none',
  touches: ['bookings'],
  query: schema((z) => z.object({ Date: z.string(), Duration: z.int().min(1).optional() })),
  responses: { 200: listOf(tablesOfSection) },
  list: { member: null, paging: 'none' },
  failures: { invalidDate: refusal(400, 'Invalid Date passed.', { standing: 'assumed' }) },
})

/** A walk-in: guests are seated at once, nothing is checked against the schedule. Source: "Difference from POST /Bookings". */
export const createBooking = endpoint({
  id: 'bookings.create',
  method: 'POST',
  path: '/Bookings',
  standing: 'assumed',
  source: 'Difference from POST /Bookings (walk-in)',
  auth: 'api-key',
  write: 'once',
  touches: ['bookings', 'customers'],
  causes: 'BOOKING_CREATED',
  body: schema((z) =>
    reservationRequest(z).partial({ serviceId: true, sectionId: true, customer: true }).superRefine(needsTime),
  ),
  responses: { 201: reservationResponse },
  failures: {
    invalidStatus,
    invalidTime: reservationFailures.invalidTime,
    unexpected: refusal(500, 'An error occurred. Unable to create new booking.', { standing: 'assumed' }),
  },
})

function needsTime(
  request: { time?: string | undefined; bookingTimeAsUtc?: string | undefined },
  context: RefineContext,
) {
  if (request.time === undefined && request.bookingTimeAsUtc === undefined)
    context.addIssue({ code: 'custom', path: ['time'], message: 'time or bookingTimeAsUtc is required' })
}
interface RefineContext {
  addIssue(issue: { code: 'custom'; path: string[]; message: string }): void
}

/** Changes a booking; the body says which. Source: "Other endpoints"; the shape is assumed. */
export const updateBooking = endpoint({
  id: 'bookings.update',
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
      .superRefine(needsTime),
  ),
  responses: { 201: reservationResponse },
  failures: {
    invalidStatus,
    invalidTime: reservationFailures.invalidTime,
    invalidService: { ...reservationFailures.invalidService, standing: 'assumed' },
    unknownTable: reservationFailures.unknownTable,
    notFound: refusal(404, 'bookingId: {bookingId} not found', { standing: 'assumed', code: 'NOT_FOUND' }),
    unexpected: refusal(500, 'An error occurred. Unable to Update booking.', { standing: 'assumed' }),
  },
})

/** What the small updates answer with; `amountSpent` in currency units. Assumed. */
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

/** Changes the party size. Source: "Other endpoints"; the shape is assumed. */
export const updatePax = endpoint({
  id: 'bookings.update-pax',
  method: 'PATCH',
  path: '/Bookings/{bookingId}/updatepax',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ pax: z.int().min(1).max(MAX_INT32) })),
  responses: { 200: bookingReceipt },
  failures: {
    invalidPax: refusal(400, 'The value of Pax must be greater than 0', { standing: 'assumed' }),
    notFound: receiptNotFound,
  },
})

/** Changes the status, by its code. Source: "Other endpoints"; the shape is assumed. */
export const updateStatus = endpoint({
  id: 'bookings.update-status',
  method: 'PATCH',
  path: '/Bookings/{bookingId}/updatestatus',
  standing: 'assumed',
  source: 'Other endpoints',
  auth: 'api-key',
  write: 'safe-to-repeat',
  touches: ['bookings', 'sales'],
  causes: 'BOOKING_UPDATED',
  body: schema((z) => z.object({ status: z.string().min(1) })),
  responses: { 200: bookingReceipt },
  failures: { invalidStatus, notFound: receiptNotFound },
})

/** Changes the tables, named by section and name, not by ID. Source: "Other endpoints"; the shape is assumed. */
export const updateTables = endpoint({
  id: 'bookings.update-tables',
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
  responses: { 200: anything },
  failures: {
    noTables: refusal(400, 'No tables provided', { standing: 'assumed' }),
    duplicateTables: refusal(400, 'Duplicate table entries', { standing: 'assumed' }),
    unknownTable: refusal(400, "Table '{name}' in section '{section}' not found", { standing: 'assumed' }),
    conflict: refusal(400, "Table '{name}' is already booked at that time", {
      standing: 'assumed',
      hint: 'choose another table, or put both bookings on it with --allow-conflict',
    }),
    notFound: receiptNotFound,
  },
})
