import type { reservationRequest } from '../../../contract/bookings/reservations.ts'
import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import type { Infer } from '../../../contract/shapes/schema.ts'
import type { BookingDocument } from '../../records/booking.ts'
import { type LocalMs, readInstant, readLocal } from '../../venue/time.ts'
import { findTable, type Table } from '../../venue/venue.ts'
import type { Zone } from '../../venue/zone.ts'
import type { DeepPartial } from '../handler.ts'
import { Malformed, type PlaceholderValues } from '../refusals.ts'

export type BookingRequest = DeepPartial<Infer<typeof reservationRequest>>

/** The last millisecond of the year 9999. The documented time format cannot represent any later time. */
const LAST_TIME: LocalMs = Date.UTC(10_000, 0) - 1

/**
 * Reads `bookingTimeAsUtc` or, if it is missing, `time`. Returns `null` if the time is missing, invalid or skipped by a
 * clock change. `asSent` is the text from the request.
 */
export function readTime(request: BookingRequest, { toLocal, toInstant }: Zone) {
  if (request.bookingTimeAsUtc) {
    const starts = /\.\d/.test(request.bookingTimeAsUtc) ? null : readInstant(request.bookingTimeAsUtc)
    if (starts === null || toLocal(starts) > LAST_TIME) return null
    return { starts, local: toLocal(starts), asSent: request.bookingTimeAsUtc }
  }
  const local = request.time ? readLocal(request.time) : null
  if (local === null || !request.time) return null
  const starts = toInstant(local)
  return toLocal(starts) === local ? { local, starts, asSent: request.time } : null
}

/** Throws Malformed if a number is outside its documented range. */
export function checkNumbers(request: BookingRequest): void {
  const complaints: Record<string, string[]> = {}
  for (const member of ['numOfPeople', 'duration'] as const) {
    const value = request[member]
    if (typeof value === 'number' && (!Number.isInteger(value) || value < 1 || value > MAX_INT32))
      complaints[member] = [`The field ${member} must be between 1 and ${MAX_INT32}.`]
  }
  if (Object.keys(complaints).length > 0) throw new Malformed(complaints)
}

/** Returns the tables whose IDs are in the request. Throws the documented failure if a table is unknown or repeated. */
export function readTables(
  request: BookingRequest,
  refuse: (name: 'unknownTable' | 'duplicateTables', values?: PlaceholderValues) => Error,
): Table[] {
  const tables = (request.tables ?? []).map((id) => {
    const table = findTable(id ?? '')
    if (!table) throw refuse('unknownTable', { table: id ?? '' })
    return table
  })
  if (new Set(tables).size < tables.length) throw refuse('duplicateTables')
  return tables
}

/**
 * Returns the members of a new booking that come from the request. `details` is stored, but never returned as part of
 * the booking.
 */
export function requestedMembers(request: BookingRequest, time: NonNullable<ReturnType<typeof readTime>>, now: number) {
  const { notes = null, bookingId: externalId = null, staffId, staffName, links } = request
  const times = { local: time.local, starts: time.starts, bookedAt: now, modified: now }
  return { ...times, notes, externalId, details: { staffId, staffName, links } }
}

/**
 * Creates the response to reservations, walk-ins and updates. For walk-ins, some members are empty. Source: "POST
 * /Reservations".
 */
export function toBookingResponse(document: BookingDocument, sectionId: string | null): Record<string, unknown> {
  return {
    bookingId: document.bookingId,
    time: document.bookingTime,
    numOfPeople: document.people,
    bookingStatus: document.status.code,
    duration: document.duration,
    tableNames: document.tables.map((table) => table.tableName),
    serviceId: document.serviceId ?? '',
    serviceName: document.serviceName ?? '',
    sectionId: sectionId ?? document.tables[0]?.sectionId ?? '',
    isSuccess: true,
    errorMessage: '',
  }
}
