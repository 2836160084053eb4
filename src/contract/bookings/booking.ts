import { customer } from '../customers.ts'
import { endpoint, refusal } from '../endpoint.ts'
import { decimal, integer, queryInstant, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'

/** A table of a booking. Source: "Supporting objects". */
export const bookingTable = schema((z) =>
  lenientObject(z, { tableId: text(z), tableName: text(z), sectionId: text(z), sectionName: text(z) }),
)

/** A tag of a booking: `tagType` is the category, `name` the value. Source: "Supporting objects". */
export const tag = schema((z) => lenientObject(z, { tagType: text(z), name: text(z) }))

/** What was paid for a booking, in units of `currencyCode`. Source: "Supporting objects". */
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

/** An extra of an {@link orderItem}. Source: "Supporting objects". */
export const extraOrderItem = schema((z) =>
  lenientObject(z, {
    name: text(z),
    label: text(z),
    price: decimal(z).nullish(),
    quantity: integer(z),
    paymentType: text(z).describe('PreAuth, Deposit, FullPayment, FunctionPayment or NoPayment'),
  }),
)

/** An item that was ordered or paid in advance; `price` is for one. Source: "Supporting objects". */
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

/** The status of a booking. Source: "Supporting objects". */
const statusOfBooking = schema((z) => lenientObject(z, { statusType: text(z), code: text(z), name: text(z) }))

/** A booking. `duration` in minutes, `people` in guests. Source: "Booking (response of GET /Bookings/{id})". */
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

/** The refusal of an id that no booking has. */
export const bookingNotFound = refusal(404, "Booking '{id}' not found.", {
  standing: 'assumed',
  code: 'NOT_FOUND',
  hint: 'check the ID, and that this profile is for the right venue and environment: partner bookings list',
})

/** Gets a booking. Source: "GET /Bookings/{id}". */
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

/** Lists bookings by the time they are booked for or by their last change. Source: "Other endpoints"; parameters and envelope are assumed. */
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
