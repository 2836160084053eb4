import type { createBooking, updateBooking, updatePax, updateStatus, updateTables } from '../../../contract/bookings.ts'
import { MAX_INT32 } from '../../../contract/scalars.ts'
import {
  type BookingChange,
  type BookingDocument,
  changeBooking,
  findVenueBooking,
  insertBooking,
  type StoredBooking,
} from '../../records/bookings.ts'
import { keepCustomer, WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { spentCents } from '../../records/sales.ts'
import { Occupancy } from '../../records/schedule.ts'
import type { Store } from '../../store/store.ts'
import { MINUTE } from '../../venue/time.ts'
import { serviceOf, statusOf, TABLES, tableOf } from '../../venue/venue.ts'
import type { World } from '../../world.ts'
import { type Handler, Malformed } from '../handler.ts'
import { askedTime, bookingResponse, checkNumbers, detailsOf } from './requests.ts'

/** Guests of a walk-in sit down at once. Source: "Other endpoints". */
const WALK_IN_STATUS = 'SEATED'
const WALK_IN_DURATION = 90

/** POST /Bookings: a walk-in. Nothing is checked against the schedule or the size of a table. */
export const createBookingHandler: Handler<typeof createBooking> = ({ world, body, now, refuse }) => {
  if (body.numOfPeople === undefined || body.numOfPeople === null)
    throw refuse('requiredField', { field: 'numOfPeople' })
  checkNumbers(body)
  const time = askedTime(body)
  if (!time) throw refuse('invalidTime')
  const status = statusOf(body.status || WALK_IN_STATUS)
  if (!status) throw refuse('invalidStatus', { status: body.status ?? '' })
  const service = body.serviceId ? (serviceOf(body.serviceId) ?? null) : null
  const document = insertBooking(world.store, {
    method: 'walkin',
    local: time.local,
    bookedAt: now,
    modified: now,
    duration: body.duration ?? service?.duration ?? WALK_IN_DURATION,
    people: body.numOfPeople,
    service,
    status,
    tableIds: (body.tables ?? []).filter((id) => id !== null && tableOf(id)),
    customerId: body.customer ? keepCustomer(world.store, body.customer, now) : WALK_IN_CUSTOMER.id,
    notes: body.notes ?? null,
    externalId: body.bookingId ?? null,
    details: detailsOf(body),
  })
  world.emit('BOOKING_CREATED', document.bookingId)
  return { status: 201, body: bookingResponse(document, body.sectionId ?? null) }
}

/** POST /Bookings/UpdateBookingAsync: what is given changes, the rest stays. */
export const updateBookingHandler: Handler<typeof updateBooking> = ({ world, body, now, refuse }) => {
  if (!body.bookingId) throw refuse('requiredField', { field: 'bookingId' })
  checkNumbers(body)
  const booking = findVenueBooking(world.store, body.bookingId)
  if (!booking) throw refuse('notFound', { bookingId: body.bookingId })
  const time = askedTime(body)
  if (!time) throw refuse('invalidTime')
  if (body.status && !statusOf(body.status)) throw refuse('invalidStatus', { status: body.status })
  const service = body.serviceId ? serviceOf(body.serviceId) : undefined
  if (body.serviceId && !service) throw refuse('invalidService', { serviceId: body.serviceId })
  for (const id of body.tables ?? []) if (!tableOf(id ?? '')) throw refuse('unknownTable', { table: id ?? '' })
  const change: { -readonly [Member in keyof BookingChange]: BookingChange[Member] } = { local: time.local }
  if (service) change.service = service
  if (body.duration) change.duration = body.duration
  if (body.numOfPeople) change.people = body.numOfPeople
  if (body.status) change.status = body.status
  if (body.tables) change.tableIds = body.tables.filter((id) => id !== null)
  if (typeof body.notes === 'string') change.notes = body.notes
  if (body.customer) change.customerId = keepCustomer(world.store, body.customer, now)
  const document = changed(world, booking, change, now)
  return { status: 201, body: bookingResponse(document, body.sectionId ?? null) }
}

/** PATCH /Bookings/{bookingId}/updatepax */
export const updatePaxHandler: Handler<typeof updatePax> = ({ world, parameters, body: { pax }, now, refuse }) => {
  if (pax === undefined || pax === null) throw refuse('requiredField', { field: 'pax' })
  if (pax <= 0) throw refuse('invalidPax')
  if (pax > MAX_INT32) throw new Malformed({ pax: [`The field pax must be between 1 and ${MAX_INT32}.`] })
  const booking = findVenueBooking(world.store, parameters.bookingId)
  if (!booking) throw refuse('notFound', parameters)
  return { status: 200, body: receipt(world.store, changed(world, booking, { people: pax }, now)) }
}

/** PATCH /Bookings/{bookingId}/updatestatus */
export const updateStatusHandler: Handler<typeof updateStatus> = ({ world, parameters, body, now, refuse }) => {
  const { status } = body
  if (!status) throw refuse('requiredField', { field: 'status' })
  const booking = findVenueBooking(world.store, parameters.bookingId)
  if (!booking) throw refuse('notFound', parameters)
  if (!statusOf(status)) throw refuse('invalidStatus', { status })
  return { status: 200, body: receipt(world.store, changed(world, booking, { status }, now)) }
}

/** PATCH /Bookings/{bookingId}/updatetables: tables by their section's name and their own. */
export const updateTablesHandler: Handler<typeof updateTables> = ({ world, parameters, body, now, refuse }) => {
  const booking = findVenueBooking(world.store, parameters.bookingId)
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
    const occupancy = new Occupancy(world.store, booking.starts, ends, booking.document.bookingId)
    const taken = occupancy.takenBetween(booking.starts, ends)
    const conflict = tables.find((table) => taken.has(table.id))
    if (conflict) throw refuse('conflict', { name: conflict.name })
  }
  const document = changed(world, booking, { tableIds: tables.map((table) => table.id) }, now)
  return { status: 200, body: receipt(world.store, document) }
}

function changed(world: World, booking: StoredBooking, change: BookingChange, now: number): BookingDocument {
  const document = changeBooking(world.store, booking, change, now)
  world.emit('BOOKING_UPDATED', document.bookingId)
  return document
}

/** What the small updates answer with; `amountSpent` in currency units. Assumed. */
function receipt(store: Store, document: BookingDocument): Record<string, unknown> {
  return {
    bookingId: document.bookingId,
    bookingRef: document.bookingId.slice(-6).toUpperCase(),
    amountSpent: spentCents(store, document.bookingId) / 100,
    status: document.status.code,
    pax: document.people,
  }
}
