import { parseExact } from '../../../base/json/exact.ts'
import { type BookingDocument, NO_PAYMENT } from '../../records/booking.ts'
import { toBookedTables } from '../../records/bookings.ts'
import { WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { MINUTE } from '../../venue/time.ts'
import { findService, findStatus, SERVICES, STATUSES, TABLES } from '../../venue/venue.ts'
import type { RecordData, VenueDefaults } from '../form/members.ts'
import {
  anything,
  bool,
  documentText,
  instant,
  integer,
  jsonObject,
  listOf,
  localTime,
  nonEmptyText,
  oneOf,
  orNull,
  text,
} from '../form/values.ts'
import { booleanColumn, instantColumn, jsonColumn, plainColumn, tableKind } from './kind.ts'

const DEFAULT_DURATION = 90

/** Bookings, with the same members as in responses from the service. */
export const booking = tableKind({
  name: 'booking',
  table: 'bookings',
  rows: 'ORDER BY rank',
  members: {
    booking: { read: nonEmptyText, column: plainColumn('id') },
    locationId: { read: nonEmptyText, implied: (_booking, { location }) => location, column: plainColumn('location') },
    bookingTime: { read: localTime },
    people: { read: integer(1) },
    serviceId: { read: orNull(oneOf(SERVICES.map((service) => service.id))), implied: () => null },
    duration: {
      read: integer(1),
      implied: ({ serviceId }) => findServiceById(serviceId)?.duration ?? DEFAULT_DURATION,
    },
    status: { read: oneOf(STATUSES.map(({ code }) => code)), column: plainColumn('status') },
    tables: { read: listOf(oneOf(TABLES.map((table) => table.id))), implied: () => [], column: jsonColumn('tables') },
    customerId: { read: orNull(nonEmptyText), implied: () => null, column: plainColumn('customer') },
    method: { read: text, implied: () => 'online' },
    bookedAt: { read: instant },
    lastModifiedDate: { read: instant, implied: ({ bookedAt }) => bookedAt, column: instantColumn('modified') },
    notes: { read: orNull(text), implied: () => null },
    tags: { read: listOf(jsonObject), implied: () => [] },
    items: { read: listOf(jsonObject), implied: () => [] },
    paymentSummary: { read: jsonObject, implied: () => NO_PAYMENT },
    externalId: { read: orNull(text), implied: () => null, column: plainColumn('external_id') },
    details: { read: anything, implied: () => null, column: jsonColumn('details', parseExact) },
    untouched: { read: bool, implied: () => false, column: booleanColumn('untouched') },
    // A line contains this member only if the booking starts at the second occurrence of its local time.
    starts: { read: instant, implied: firstInstant, column: instantColumn('starts') },
    document: {
      read: documentText,
      implied: (record) => JSON.stringify(toDocument(record)),
      column: plainColumn('document'),
    },
  },
  inDocument: (document) => {
    const { bookingId, tables: _tables, status, ...members } = document as unknown as BookingDocument
    return { ...members, booking: bookingId, status: status.code }
  },
  derived: ({ starts, duration, serviceId }) => ({
    ends: Date.parse(String(starts)) + Number(duration) * MINUTE,
    service_name: findServiceById(serviceId)?.name ?? null,
  }),
  problem: ({ customerId }, seen) =>
    customerId === null || customerId === WALK_IN_CUSTOMER.id || seen.get('customer')?.has(String(customerId))
      ? null
      : `"customerId" is ${JSON.stringify(customerId)}, but no earlier line has that customer`,
})

function findServiceById(serviceId: unknown) {
  return typeof serviceId === 'string' ? findService(serviceId) : undefined
}

function firstInstant({ bookingTime }: RecordData, { toInstant }: VenueDefaults): string {
  return new Date(toInstant(Date.parse(`${bookingTime}Z`))).toISOString()
}

const DOCUMENT_MEMBERS =
  `bookingId locationId method bookedAt bookingTime duration people serviceId serviceName serviceType lastModifiedDate
  notes tables tags status paymentSummary items`.split(/\s+/)

/** Creates the document to store for a booking. Its members have the same order as those of a new booking. */
function toDocument(record: RecordData): RecordData {
  const { name: serviceName = null, serviceType = null } = findServiceById(record['serviceId']) ?? {}
  const status = findStatus(String(record['status'])) ?? STATUSES[0]
  const tables = toBookedTables(record['tables'] as string[])
  const all: RecordData = { ...record, bookingId: record['booking'], serviceName, serviceType, tables, status }
  return Object.fromEntries(DOCUMENT_MEMBERS.map((member) => [member, all[member]]))
}
