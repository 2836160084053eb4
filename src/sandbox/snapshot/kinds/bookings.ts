import { parseExact } from '../../../base/json/exact.ts'
import { type BookingDocument, NO_PAYMENT } from '../../records/booking.ts'
import { toBookedTables } from '../../records/bookings.ts'
import { WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { MINUTE } from '../../venue/time.ts'
import { findService, findStatus, SERVICES, STATUSES, TABLES } from '../../venue/venue.ts'
import type { Place, Whole } from '../form/members.ts'
import {
  anything,
  documentText,
  flag,
  id,
  instant,
  listOf,
  localTime,
  object,
  oneOf,
  orNull,
  text,
  whole,
} from '../form/values.ts'
import { asBit, asJson, inMs, plain, rowsOf } from './kind.ts'

const USUAL_DURATION = 90

/** Bookings, with the same members as in the service's responses. */
export const booking = rowsOf({
  name: 'booking',
  table: 'bookings',
  rows: 'ORDER BY rank',
  members: {
    booking: { read: id, column: plain('id') },
    locationId: { read: id, implied: (_booking, { location }) => location, column: plain('location') },
    bookingTime: { read: localTime },
    people: { read: whole(1) },
    serviceId: { read: orNull(oneOf(SERVICES.map((service) => service.id))), implied: () => null },
    duration: { read: whole(1), implied: ({ serviceId }) => serviceOf(serviceId)?.duration ?? USUAL_DURATION },
    status: { read: oneOf(STATUSES.map(({ code }) => code)), column: plain('status') },
    tables: { read: listOf(oneOf(TABLES.map((table) => table.id))), implied: () => [], column: asJson('tables') },
    customerId: { read: orNull(id), implied: () => null, column: plain('customer') },
    method: { read: text, implied: () => 'online' },
    bookedAt: { read: instant },
    lastModifiedDate: { read: instant, implied: ({ bookedAt }) => bookedAt, column: inMs('modified') },
    notes: { read: orNull(text), implied: () => null },
    tags: { read: listOf(object), implied: () => [] },
    items: { read: listOf(object), implied: () => [] },
    paymentSummary: { read: object, implied: () => NO_PAYMENT },
    externalId: { read: orNull(text), implied: () => null, column: plain('external_id') },
    details: { read: anything, implied: () => null, column: asJson('details', parseExact) },
    untouched: { read: flag, implied: () => false, column: asBit('untouched') },
    // Given only for the second occurrence of a local time that is repeated when clocks go back.
    starts: { read: instant, implied: firstMoment, column: inMs('starts') },
    document: {
      read: documentText,
      implied: (record) => JSON.stringify(toDocument(record)),
      column: plain('document'),
    },
  },
  inDocument: (document) => {
    const { bookingId, tables: _tables, status, ...members } = document as unknown as BookingDocument
    return { ...members, booking: bookingId, status: status.code }
  },
  derived: ({ starts, duration, serviceId }) => ({
    ends: Date.parse(String(starts)) + Number(duration) * MINUTE,
    service_name: serviceOf(serviceId)?.name ?? null,
  }),
  problem: ({ customerId }, seen) =>
    customerId === null || customerId === WALK_IN_CUSTOMER.id || seen.get('customer')?.has(String(customerId))
      ? null
      : `"customerId" is ${JSON.stringify(customerId)}, but no earlier line has that customer`,
})

function serviceOf(serviceId: unknown) {
  return typeof serviceId === 'string' ? findService(serviceId) : undefined
}

function firstMoment({ bookingTime }: Whole, { toInstant }: Place): string {
  return new Date(toInstant(Date.parse(`${bookingTime}Z`))).toISOString()
}

const DOCUMENT_MEMBERS =
  `bookingId locationId method bookedAt bookingTime duration people serviceId serviceName serviceType lastModifiedDate
  notes tables tags status paymentSummary items`.split(/\s+/)

/** Returns a booking's document as the store has it, with the same order of members. */
function toDocument(record: Whole): Whole {
  const { name: serviceName = null, serviceType = null } = serviceOf(record['serviceId']) ?? {}
  const status = findStatus(String(record['status'])) ?? STATUSES[0]
  const tables = toBookedTables(record['tables'] as string[])
  const all: Whole = { ...record, bookingId: record['booking'], serviceName, serviceType, tables, status }
  return Object.fromEntries(DOCUMENT_MEMBERS.map((member) => [member, all[member]]))
}
