import type { updatePax } from '../../../contract/bookings/changes.ts'
import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import type { BookingChange, BookingDocument } from '../../records/booking.ts'
import { changeBooking, findVenueBooking, insertBooking, type StoredBooking } from '../../records/bookings.ts'
import { changeCustomer, storeCustomer, WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { sumSpending } from '../../records/sales.ts'
import { readOccupancy } from '../../records/schedule.ts'
import type { Diary } from '../../store/diary.ts'
import { formatLocalTime, MINUTE } from '../../venue/time.ts'
import { findService, findStatus, TABLES } from '../../venue/venue.ts'
import type { EndpointRequest, Handlers } from '../handler.ts'
import { Malformed } from '../refusals.ts'
import { checkNumbers, readTables, readTime, requestedMembers, toBookingResponse } from './requests.ts'

/** The default status of walk-ins, whose guests are seated immediately. Source: "Other endpoints". */
const WALK_IN_STATUS = 'SEATED'
const WALK_IN_DURATION = 90

export const UPDATE_HANDLERS = {
  /** POST /Bookings. Adds a walk-in. Accepts any time and party size, but rejects unknown tables. */
  'bookings.create': ({ store, body, now, refuse, announce }) => {
    if (body.numOfPeople === undefined || body.numOfPeople === null)
      throw refuse('requiredField', { field: 'numOfPeople' })
    checkNumbers(body)
    const time = readTime(body, store.zone)
    if (!time) throw refuse('invalidTime')
    const status = findStatus(body.status || WALK_IN_STATUS)
    if (!status) throw refuse('invalidStatus', { status: body.status ?? '' })
    const service = body.serviceId ? (findService(body.serviceId) ?? null) : null
    const document = insertBooking(store, {
      method: 'walkin',
      ...requestedMembers(body, time, now),
      duration: body.duration ?? service?.duration ?? WALK_IN_DURATION,
      people: body.numOfPeople,
      service,
      status,
      tableIds: readTables(body, refuse).map(({ id }) => id),
      customerId: body.customer ? storeCustomer(store, body.customer, now) : WALK_IN_CUSTOMER.id,
    })
    announce(document.bookingId)
    return { status: 201, body: toBookingResponse(document, body.sectionId ?? null) }
  },

  /** POST /Bookings/UpdateBookingAsync. Changes only the members that the request contains. */
  'bookings.update': (request) => {
    const { store, body, now, refuse } = request
    if (!body.bookingId) throw refuse('requiredField', { field: 'bookingId' })
    checkNumbers(body)
    const booking = findVenueBooking(store, body.bookingId)
    if (!booking) throw refuse('notFound', { bookingId: body.bookingId })
    const time = readTime(body, store.zone)
    if (!time) throw refuse('invalidTime')
    if (body.status && !findStatus(body.status)) throw refuse('invalidStatus', { status: body.status })
    const service = body.serviceId ? findService(body.serviceId) : undefined
    if (body.serviceId && !service) throw refuse('invalidService', { serviceId: body.serviceId })
    const tables = readTables(body, refuse)
    const changes: { -readonly [Member in keyof BookingChange]: BookingChange[Member] } = {}
    // If the local time is unchanged, keep the instant: it might be the second occurrence of that local time.
    if (body.bookingTimeAsUtc || formatLocalTime(time.local) !== booking.document.bookingTime) changes.time = time
    if (service) changes.service = service
    if (body.duration) changes.duration = body.duration
    if (body.numOfPeople) changes.people = body.numOfPeople
    if (body.status) changes.status = body.status
    if (body.tables) changes.tableIds = tables.map(({ id }) => id)
    if (typeof body.notes === 'string') changes.notes = body.notes
    if (body.customer) changes.customerId = changeCustomer(store, booking.customerId, body.customer, now)
    const document = change(request, booking, changes)
    return { status: 201, body: toBookingResponse(document, body.sectionId ?? null) }
  },

  'bookings.update-pax': (request) => {
    const { store, parameters, refuse } = request
    const { pax } = request.body
    if (pax === undefined || pax === null) throw refuse('requiredField', { field: 'pax' })
    if (pax <= 0) throw refuse('invalidPax')
    if (pax > MAX_INT32) throw new Malformed({ pax: [`The field pax must be between 1 and ${MAX_INT32}.`] })
    const booking = findVenueBooking(store, parameters.bookingId)
    if (!booking) throw refuse('notFound', parameters)
    return { status: 200, body: toUpdateResponse(store, change(request, booking, { people: pax })) }
  },

  'bookings.update-status': (request) => {
    const { store, parameters, refuse } = request
    const { status } = request.body
    if (!status) throw refuse('requiredField', { field: 'status' })
    const booking = findVenueBooking(store, parameters.bookingId)
    if (!booking) throw refuse('notFound', parameters)
    if (!findStatus(status)) throw refuse('invalidStatus', { status })
    return { status: 200, body: toUpdateResponse(store, change(request, booking, { status })) }
  },

  /** PATCH /Bookings/{bookingId}/updatetables. Identifies each table by its section and table names. */
  'bookings.update-tables': (request) => {
    const { store, parameters, body, refuse } = request
    const booking = findVenueBooking(store, parameters.bookingId)
    if (!booking) throw refuse('notFound', parameters)
    if (!body.tables || body.tables.length === 0) throw refuse('noTables')
    const tables = body.tables.map((named) => {
      const [name, section] = [named?.name ?? '', named?.section ?? '']
      const table = TABLES.find((one) => one.name === name && one.sectionName === section)
      if (!table) throw refuse('unknownTable', { name, section })
      return table
    })
    if (new Set(tables).size < tables.length) throw refuse('duplicateTables')
    if (!body.allowTableBookingConflict) {
      const ends = booking.starts + booking.document.duration * MINUTE
      const { locationId, bookingId } = booking.document
      const occupied = readOccupancy(store, locationId, booking.starts, ends, bookingId)(booking.starts, ends)
      const conflict = tables.find((table) => occupied.has(table.id))
      if (conflict) throw refuse('conflict', { name: conflict.name })
    }
    const document = change(request, booking, { tableIds: tables.map((table) => table.id) })
    return { status: 200, body: toUpdateResponse(store, document) }
  },
} satisfies Partial<Handlers>

function change(
  { store, now, announce }: Pick<EndpointRequest<typeof updatePax>, 'store' | 'now' | 'announce'>,
  booking: StoredBooking,
  changes: BookingChange,
): BookingDocument {
  const document = changeBooking(store, booking, changes, now)
  announce(document.bookingId)
  return document
}

/** Creates the response to an update of a single member. `amountSpent` is assumed to be in currency units. */
function toUpdateResponse(diary: Diary, document: BookingDocument): Record<string, unknown> {
  return {
    bookingId: document.bookingId,
    bookingRef: referenceOf(document.bookingId),
    amountSpent: sumSpending(diary, document.bookingId) / 100,
    status: document.status.code,
    pax: document.people,
  }
}

/** Returns the reference that guests quote. It is the end of the booking's ID, or the whole ID if the ID is short. */
function referenceOf(bookingId: string): string {
  return bookingId.length > 12 ? bookingId.slice(-6).toUpperCase() : bookingId
}
