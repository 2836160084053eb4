import { assumed } from '../endpoint.ts'
import { invalidDate } from '../failures.ts'
import { always, formed, sureText } from '../shapes/facts.ts'
import { decimal, integer, listOf, MAX_INT32, queryInstant, text } from '../shapes/scalars.ts'
import { lenientObject, schema } from '../shapes/schema.ts'

const section = schema((z) => lenientObject(z, { id: sureText(z), name: sureText(z), order: integer(z) }))

/**
 * A service (such as dinner) with the times that it offers. `duration` is in minutes, and `time` is an instant. The
 * shape is assumed: the specification does not describe it.
 */
export const service = schema((z) =>
  lenientObject(z, {
    id: sureText(z),
    name: sureText(z),
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
          time: always(formed(z, 'assumedInstant')),
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

/** The services on one day. The shape is assumed: the specification does not describe it. */
export const scheduleDay = schema((z) =>
  lenientObject(z, {
    isVenueOpen: always(z.boolean().nullish()),
    blockoutMessage: text(z),
    services: z.array(service(z)).nullish(),
  }),
)

/** Lists the services and times that are available to a party. Source: "Other endpoints"; the shape is assumed. */
export const getSchedule = assumed('bookings.schedule', 'GET /Bookings/schedule', {
  summary: 'List the services and times that are free',
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
  failures: { invalidDate },
})

const diaryTable = schema((z) =>
  lenientObject(z, {
    _id: sureText(z).describe('the table ID to send when creating or updating a booking'),
    name: sureText(z),
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
    sectionName: sureText(z),
    sectionId: sureText(z),
    layoutId: text(z),
    layoutName: text(z),
    tables: always(z.array(diaryTable(z)).nullish()),
  }),
)

/**
 * Lists the tables that are free for `Duration` minutes on a given date. Source: "Other endpoints"; the shape is
 * assumed.
 */
export const listTables = assumed('bookings.tables', 'GET /Bookings/tables', {
  summary: 'List the tables that are free',
  write: 'none',
  touches: ['bookings'],
  query: schema((z) => z.object({ Date: z.string(), Duration: z.int().min(1).optional() })),
  responses: { 200: listOf(tablesOfSection) },
  list: { member: null, paging: 'none' },
  failures: { invalidDate },
})

export const AVAILABILITY_ENDPOINTS = { [getSchedule.id]: getSchedule, [listTables.id]: listTables } as const
