import { customer } from '../customers.ts'
import { assumed, assumedRefusal, documented } from '../endpoint.ts'
import { invalidDate } from '../failures.ts'
import { always, formed, oneOf, sureDecimal, sureInteger } from '../shapes/facts.ts'
import { queryInstant, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'

/** A table that a booking occupies. Source: "Supporting objects". */
export const bookingTable = schema((z) =>
  lenientObject(z, { tableId: text(z), tableName: text(z), sectionId: text(z), sectionName: text(z) }),
)

/** A tag on a booking. `tagType` is its category, and `name` is its value. Source: "Supporting objects". */
export const tag = schema((z) => lenientObject(z, { tagType: text(z), name: text(z) }))

/** The payments for a booking, in units of `currencyCode`. Source: "Supporting objects". */
export const paymentSummary = schema((z) =>
  lenientObject(z, {
    paymentType: text(z).describe('for example card, cash'),
    amount: sureDecimal(z),
    amountDue: sureDecimal(z),
    amountPaid: sureDecimal(z),
    transactionId: text(z).describe('of the payment gateway'),
    currencyCode: formed(z, 'currency').describe('ISO 4217'),
    paymentDate: formed(z, 'timestamp').describe('ISO 8601 instant'),
  }),
)

/** The ways to pay for an extra. Source: "Supporting objects". */
const EXTRA_PAYMENT_TYPES = ['PreAuth', 'Deposit', 'FullPayment', 'FunctionPayment', 'NoPayment'] as const

/** An extra that was added to an {@link orderItem}. Source: "Supporting objects". */
export const extraOrderItem = schema((z) =>
  lenientObject(z, {
    name: text(z),
    label: text(z),
    price: sureDecimal(z),
    quantity: sureInteger(z),
    paymentType: oneOf(z, EXTRA_PAYMENT_TYPES),
  }),
)

/** An item that was ordered or paid for in advance. `price` is the unit price. Source: "Supporting objects". */
export const orderItem = schema((z) =>
  lenientObject(z, {
    name: text(z),
    label: text(z),
    paymentType: text(z),
    price: sureDecimal(z),
    quantity: sureInteger(z),
    extras: z.array(extraOrderItem(z)).nullish(),
  }),
)

/** The status of a booking. Source: "Supporting objects". */
const statusOfBooking = schema((z) => lenientObject(z, { statusType: text(z), code: text(z), name: text(z) }))

/**
 * A booking. `duration` is in minutes, and `people` is the number of guests. Source: "Booking (response of GET
 * /Bookings/{id})".
 */
export const booking = schema((z) =>
  lenientObject(z, {
    bookingId: text(z),
    locationId: text(z),
    method: text(z).describe('online, phone, walkin, pos, …'),
    bookedAt: formed(z, 'utc').describe('ISO 8601 instant of creation, UTC'),
    bookingTime: formed(z, 'local').describe('venue-local date and time, no zone'),
    duration: sureInteger(z).describe('minutes'),
    people: sureInteger(z).describe('guests'),
    serviceId: text(z),
    serviceName: text(z),
    serviceType: text(z),
    lastModifiedDate: formed(z, 'timestamp').describe('ISO 8601 instant'),
    notes: text(z),
    customer: always(customer(z).nullish()),
    tables: always(z.array(bookingTable(z)).nullish()),
    tags: always(z.array(tag(z)).nullish()),
    status: always(statusOfBooking(z).nullish()),
    paymentSummary: always(paymentSummary(z).nullish()),
    items: always(z.array(orderItem(z)).nullish()),
  }),
)

/**
 * A booking in a list. It includes the customer only on request. This is an assumption: the specification does not say.
 */
const listedBooking = schema((z) => booking(z).extend({ customer: customer(z).nullish() }))

/** The service's response to an unknown booking ID. */
export const bookingNotFound = assumedRefusal(404, "Booking '{id}' not found.", {
  code: 'NOT_FOUND',
  hint: 'check the ID, and that this profile is for the right venue and environment: partner bookings list',
})

/** Gets a booking. Source: "GET /Bookings/{id}". */
export const getBooking = documented('bookings.get', 'GET /Bookings/{id}', {
  summary: 'Get a booking',
  write: 'none',
  touches: ['bookings', 'customers'],
  responses: { 200: booking },
  failures: {
    invalidRequest: assumedRefusal(400, 'Invalid request.'),
    locationNotFound: assumedRefusal(404, 'Location of the POS not found.', { code: 'NOT_FOUND' }),
    noVenueAtLocation: assumedRefusal(404, 'No venue subscribed to the location.', { code: 'NOT_FOUND' }),
    notFound: bookingNotFound,
    unexpected: assumedRefusal(500, 'An error occurred.', { body: 'problem' }),
  },
})

/**
 * Lists bookings, either by booking time or by last change. Source: "Other endpoints"; parameters and envelope are
 * assumed.
 */
export const listBookings = assumed('bookings.list', 'GET /Bookings', {
  summary: 'List bookings',
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
  responses: {
    200: schema((z) => lenientObject(z, { count: sureInteger(z), bookings: always(z.array(listedBooking(z))) })),
  },
  list: { member: 'bookings', paging: 'none' },
  failures: { invalidDate },
})

export const BOOKINGS_ENDPOINTS = { [listBookings.id]: listBookings, [getBooking.id]: getBooking } as const
