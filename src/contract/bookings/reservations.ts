import { assumedRefusal, documented, refusal } from '../endpoint.ts'
import { always, formed, sureInteger, sureText } from '../shapes/facts.ts'
import { MAX_INT32, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'
import { invalidStatus } from './statuses.ts'

/** Matches `yyyy-MM-dd HH:mm`, a time in the venue's time zone. Source: "POST /Reservations". */
export const LOCAL_TIME_PATTERN = /^\d{4}-\d\d-\d\d \d\d:\d\d$/

/** Matches `yyyy-MM-ddTHH:mm:ssZ`, a time in UTC. Source: "POST /Reservations". */
export const UTC_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/**
 * A request to create a reservation. The body of a walk-in or an update is the same, but has fewer required members
 * (assumed). Source: "POST /Reservations".
 */
export const reservationRequest = schema((z) =>
  z.object({
    numOfPeople: z.int().min(1).max(MAX_INT32),
    serviceId: z.string().min(1).describe('a service that GET /Bookings/schedule offers for the time and party size'),
    sectionId: z.string().min(1),
    customer: z.object({
      firstName: z.string().min(1),
      lastName: z.string().min(1),
      phone: z.string().min(1),
      id: z.string().optional(),
      company: z.string().optional(),
      email: z.string().optional(),
      address: z
        .object({
          line1: z.string(),
          line2: z.string(),
          city: z.string(),
          state: z.string(),
          postalCode: z.string(),
          country: z.string(),
        })
        .partial()
        .optional(),
    }),
    bookingTimeAsUtc: z
      .string()
      .regex(UTC_TIME_PATTERN, 'must look like yyyy-MM-ddTHH:mm:ssZ')
      .optional()
      .describe('UTC; takes precedence over time'),
    time: z
      .string()
      .regex(LOCAL_TIME_PATTERN, 'must look like yyyy-MM-dd HH:mm')
      .optional()
      .describe('venue local; ignored when bookingTimeAsUtc is present'),
    status: z.string().optional().describe("one of the venue's status codes; Unconfirmed if absent"),
    bookingId: z.string().optional().describe("the partner system's own booking ID"),
    notes: z.string().optional().describe('visible to the venue'),
    duration: z.int().min(1).max(MAX_INT32).optional().describe("minutes; overrides the service's default"),
    staffId: z.string().optional(),
    staffName: z.string().optional(),
    tables: z.array(z.string()).optional().describe('table IDs'),
    links: z.array(z.object({ linkName: z.string(), linkURL: z.string() })).optional(),
  }),
)

/**
 * The result of a reservation request. The other members are meaningful only if `isSuccess` is true. `duration` is in
 * minutes. Source: "POST /Reservations".
 */
export const reservationResponse = schema((z) =>
  lenientObject(z, {
    bookingId: sureText(z),
    time: always(formed(z, 'dateTime')),
    numOfPeople: sureInteger(z),
    bookingStatus: sureText(z),
    duration: sureInteger(z),
    tableNames: always(z.array(z.string()).nullish()),
    serviceId: sureText(z),
    serviceName: sureText(z),
    sectionId: sureText(z),
    isSuccess: always(z.boolean().nullish()),
    errorMessage: text(z),
  }),
)

/** The documented reasons for rejecting a reservation. Source: "POST /Reservations", "Status codes and messages". */
export const reservationFailures = {
  invalidStatus,
  noServiceAvailable: refusal(400, "No service available for booking time '{bookingTime}' and Pax '{numOfPeople}'", {
    hint: 'see what is free: partner bookings schedule --date today --people 2',
  }),
  invalidService: refusal(400, "Invalid Service '{serviceId}'", {
    hint: 'see which services are offered: partner bookings schedule --date today --people 2',
  }),
  invalidTime: refusal(400, 'Invalid Booking Time passed in the payload.', {
    hint: 'use --time "2026-12-24 19:30" (venue local) or --time-utc 2026-12-24T08:30:00Z',
  }),
  serviceRequired: refusal(400, "A reservation request must contain 'ServiceId'", { hint: 'add --service ID' }),
  sectionRequired: refusal(400, "A reservation request must contain 'SectionId'", { hint: 'add --section ID' }),
  customerRequired: refusal(400, 'Customer FirstName, LastName and Phone are required.', {
    hint: 'add --first-name, --last-name and --phone',
  }),
  unknownTable: assumedRefusal(400, "Table '{table}' not found", {
    hint: 'see the tables and their IDs: partner bookings tables --date today',
  }),
  duplicateTables: assumedRefusal(400, 'Duplicate table entries'),
  tableElsewhere: assumedRefusal(400, "Table '{table}' is not in section '{sectionId}'", {
    hint: 'see the tables of each section: partner bookings tables --date today',
  }),
  walkInsOnly: assumedRefusal(400, "Table '{table}' takes walk-ins only", {
    hint: 'choose another table: partner bookings tables --date today',
  }),
  tablesUnfit: assumedRefusal(400, "Tables '{tables}' do not suit a party of {numOfPeople}", {
    hint: 'see how many guests each table seats: partner bookings tables --date today',
  }),
  unexpected: refusal(500, 'An error occurred. Unable to create new reservation.', {
    code: 'SERVICE_ERROR',
    hint: 'nothing was created; try again in a minute, and tell the partner manager if the error persists',
  }),
} as const

/** Creates a reservation after checking it against the live schedule. Source: "POST /Reservations". */
export const createReservation = documented('reservations.create', 'POST /Reservations', {
  summary: 'Make a reservation',
  write: 'once',
  touches: ['bookings', 'customers'],
  causes: 'BOOKING_CREATED',
  body: reservationRequest,
  responses: { 201: reservationResponse },
  failures: reservationFailures,
})

export const RESERVATIONS_ENDPOINTS = { [createReservation.id]: createReservation } as const
