import type { Diary } from '../store/diary.ts'
import { IS_LINKED_SQL, type Row } from '../store/store.ts'
import { formatLocalTime, MINUTE } from '../venue/time.ts'
import { findStatus, findTable } from '../venue/venue.ts'
import { type BookedTable, type BookingChange, type BookingDocument, type NewBooking, NO_PAYMENT } from './booking.ts'
import { stampChange } from './stamp.ts'

export function insertBooking(diary: Diary, booking: NewBooking): BookingDocument {
  const starts = booking.starts ?? diary.zone.toInstant(booking.local)
  const document: BookingDocument = {
    bookingId: booking.id ?? makeId(diary, booking.bookedAt),
    locationId: booking.locationId ?? diary.venue.id,
    method: booking.method,
    bookedAt: new Date(booking.bookedAt).toISOString(),
    bookingTime: formatLocalTime(booking.local),
    duration: booking.duration,
    people: booking.people,
    serviceId: booking.service?.id ?? null,
    serviceName: booking.service?.name ?? null,
    serviceType: booking.service?.serviceType ?? null,
    lastModifiedDate: new Date(booking.modified).toISOString(),
    notes: booking.notes,
    tables: toBookedTables(booking.tableIds),
    tags: booking.tags ?? [],
    status: booking.status,
    paymentSummary: booking.payment ?? NO_PAYMENT,
    items: booking.items ?? [],
  }
  diary.insert('bookings', {
    id: document.bookingId,
    location: document.locationId,
    starts,
    ends: starts + booking.duration * MINUTE,
    modified: booking.modified,
    status: booking.status.code,
    tables: JSON.stringify(booking.tableIds),
    service_name: document.serviceName,
    customer: booking.customerId,
    external_id: booking.externalId ?? null,
    untouched: booking.untouched ? 1 : 0,
    document: JSON.stringify(document),
    details: booking.details === undefined ? null : JSON.stringify(booking.details),
  })
  return document
}

/** Converts table IDs to the objects that a Booking contains. Skips unknown IDs. */
export function toBookedTables(ids: readonly string[]): BookedTable[] {
  return ids.flatMap((id) => {
    const table = findTable(id)
    if (!table) return []
    return [{ tableId: id, tableName: table.name, sectionId: table.sectionId, sectionName: table.sectionName }]
  })
}

/** Creates an ID in the service's format: 24 hexadecimal digits, the first eight of which encode the time. */
export function makeId(diary: Diary, now: number): string {
  const seconds = Math.floor(now / 1000).toString(16)
  return seconds.padStart(8, '0').slice(-8) + diary.newIds.draw(8)
}

/** Finds a booking by its ID, at any location. */
export function findBooking(diary: Diary, id: string): StoredBooking | undefined {
  const row = diary.get('SELECT * FROM bookings WHERE id = ?', id)
  return row && readBooking(row)
}

/** Finds a booking at one of the app's venues, by its ID or by the partner's own ID for it. */
export function findVenueBooking(diary: Diary, id: string): StoredBooking | undefined {
  const found = findBooking(diary, id)
  if (found) return diary.isLinked(found.document.locationId) ? found : undefined
  const row = diary.get(
    `SELECT * FROM bookings WHERE external_id = ? AND ${IS_LINKED_SQL} ORDER BY rank DESC`,
    id,
    diary.linkedLocations,
  )
  return row && readBooking(row)
}

/** A booking as stored: its document and its searchable columns. Times are in milliseconds since 1970. */
export type StoredBooking = Readonly<ReturnType<typeof readBooking>>

export function readBooking(row: Row) {
  return {
    document: JSON.parse(String(row['document'])) as BookingDocument,
    starts: Number(row['starts']),
    modified: Number(row['modified']),
    customerId: row['customer'] as string | null,
    externalId: row['external_id'] as string | null,
    tableIds: JSON.parse(String(row['tables'])) as string[],
  }
}

/** Changes a booking and returns its new document. {@link stampChange} determines the new `lastModifiedDate`. */
export function changeBooking(diary: Diary, booking: StoredBooking, change: BookingChange, now: number) {
  const modified = stampChange(diary, booking.modified, now)
  const { document } = booking
  const starts = change.time?.starts ?? booking.starts
  const changed: BookingDocument = {
    ...document,
    bookingTime: change.time ? formatLocalTime(change.time.local) : document.bookingTime,
    duration: change.duration ?? document.duration,
    people: change.people ?? document.people,
    serviceId: change.service?.id ?? document.serviceId,
    serviceName: change.service?.name ?? document.serviceName,
    serviceType: change.service?.serviceType ?? document.serviceType,
    lastModifiedDate: new Date(modified).toISOString(),
    notes: change.notes ?? document.notes,
    tables: change.tableIds ? toBookedTables(change.tableIds) : document.tables,
    status: (change.status && findStatus(change.status)) || document.status,
    paymentSummary: change.payment ?? document.paymentSummary,
  }
  const tables = JSON.stringify(change.tableIds ?? booking.tableIds)
  const customer = change.customerId ?? booking.customerId
  diary.run(
    `UPDATE bookings SET starts = ?, ends = ?, modified = ?, status = ?, tables = ?, service_name = ?, customer = ?,
     untouched = 0, document = ? WHERE id = ?`,
    ...[starts, starts + changed.duration * MINUTE, modified, changed.status.code, tables, changed.serviceName],
    ...[customer, JSON.stringify(changed), document.bookingId],
  )
  return changed
}
