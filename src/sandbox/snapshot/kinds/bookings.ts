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
import { documentOf, isoOf, type Kind, msOf } from './kind.ts'

const USUAL_DURATION = 90

/** A booking, by the members that the service answers with. */
export const booking: Kind = {
  name: 'booking',
  select: 'SELECT * FROM bookings ORDER BY rank',
  members: [
    { name: 'booking', read: id },
    { name: 'locationId', read: id, implied: (_booking, { location }) => location },
    { name: 'bookingTime', read: localTime },
    { name: 'people', read: whole(1) },
    { name: 'serviceId', read: orNull(oneOf(SERVICES.map((service) => service.id))), implied: () => null },
    { name: 'duration', read: whole(1), implied: ({ serviceId }) => serviceOf(serviceId)?.duration ?? USUAL_DURATION },
    { name: 'status', read: oneOf(STATUSES.map(({ code }) => code)) },
    { name: 'tables', read: listOf(oneOf(TABLES.map((table) => table.id))), implied: () => [] },
    { name: 'customerId', read: orNull(id), implied: () => null },
    { name: 'method', read: text, implied: () => 'online' },
    { name: 'bookedAt', read: instant },
    { name: 'lastModifiedDate', read: instant, implied: ({ bookedAt }) => bookedAt },
    { name: 'notes', read: orNull(text), implied: () => null },
    { name: 'tags', read: listOf(object), implied: () => [] },
    { name: 'items', read: listOf(object), implied: () => [] },
    { name: 'paymentSummary', read: object, implied: () => NO_PAYMENT },
    { name: 'externalId', read: orNull(text), implied: () => null },
    { name: 'details', read: anything, implied: () => null },
    { name: 'untouched', read: flag, implied: () => false },
    // Of an hour that comes twice, the second one.
    { name: 'starts', read: instant, implied: firstMoment },
    { name: 'document', read: documentText, implied: (record) => JSON.stringify(toDocument(record)) },
  ],
  toRecord: (row) => {
    const document = parseExact(documentOf(row)) as unknown as BookingDocument
    const { bookingId, tables: _tables, status, ...members } = document
    return {
      ...members,
      booking: bookingId,
      status: status.code,
      tables: JSON.parse(String(row['tables'])),
      customerId: row['customer'],
      externalId: row['external_id'],
      details: row['details'] === null ? null : parseExact(String(row['details'])),
      untouched: row['untouched'] === 1,
      starts: isoOf(row, 'starts'),
      document: documentOf(row),
    }
  },
  insert: (store, record) => {
    const starts = msOf(record, 'starts')
    const text = (value: unknown) => (value === null ? null : String(value))
    store.run(
      `INSERT INTO bookings
       (id, location, starts, ends, modified, status, tables, service_name, customer, external_id, untouched, document, details)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      String(record['booking']),
      String(record['locationId']),
      starts,
      starts + Number(record['duration']) * MINUTE,
      msOf(record, 'lastModifiedDate'),
      String(record['status']),
      JSON.stringify(record['tables']),
      serviceOf(record['serviceId'])?.name ?? null,
      text(record['customerId']),
      text(record['externalId']),
      record['untouched'] === true ? 1 : 0,
      String(record['document']),
      record['details'] === null ? null : JSON.stringify(record['details']),
    )
  },
  problem: ({ customerId }, seen) =>
    customerId === null || customerId === WALK_IN_CUSTOMER.id || seen.get('customer')?.has(String(customerId))
      ? null
      : `"customerId" is ${JSON.stringify(customerId)}, and no line before has that customer`,
}

function serviceOf(serviceId: unknown) {
  return typeof serviceId === 'string' ? findService(serviceId) : undefined
}

function firstMoment({ bookingTime }: Whole, { toInstant }: Place): string {
  return new Date(toInstant(Date.parse(`${bookingTime}Z`))).toISOString()
}

/** The document as the service keeps it, its members in their order. */
function toDocument(record: Whole): BookingDocument {
  const service = serviceOf(record['serviceId'])
  const [first] = STATUSES
  return {
    bookingId: record['booking'],
    locationId: record['locationId'],
    method: record['method'],
    bookedAt: record['bookedAt'],
    bookingTime: record['bookingTime'],
    duration: record['duration'],
    people: record['people'],
    serviceId: record['serviceId'],
    serviceName: service?.name ?? null,
    serviceType: service?.serviceType ?? null,
    lastModifiedDate: record['lastModifiedDate'],
    notes: record['notes'],
    tables: toBookedTables(record['tables'] as string[]),
    tags: record['tags'],
    status: findStatus(String(record['status'])) ?? first,
    paymentSummary: record['paymentSummary'],
    items: record['items'],
  } as BookingDocument
}
