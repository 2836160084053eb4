import {
  assumedRejection,
  type Call,
  type ExpectedResponse,
  isMissing,
  isNonNumber,
  malformed,
  type Rule,
  readChosenText,
  required,
  respond,
} from '../expected-response.ts'
import { ANYTHING, atLeast } from '../pattern.ts'
import type { Booking, Model } from '../state.ts'
import {
  bookingResponse,
  customerOf,
  ELSEWHERE,
  findBooking,
  findService,
  findStatus,
  listedBooking,
  MINUTE,
  moveTo,
  occupiedTables,
  receipt,
  shownBooking,
  touch,
} from './booking.ts'
import { invalidStatus, invalidTime, isSameLocal, readTables, readTime, rejectNumbers } from './booking-requests.ts'
import { readDate } from './cards.ts'
import { storeCustomer } from './customers.ts'
import { announce } from './events.ts'
import { defineRule, type Rules } from './rule.ts'

const getBooking: Rule = ({ model, parameters: { id = '' } }) => {
  if (!/^[A-Za-z0-9._:~-]{1,128}$/.test(id)) return assumedRejection(400, 'Invalid request.')
  // The specification says "404 (location of the POS not found, no venue subscribed to the location, or booking not
  // found)". The exact messages are assumptions.
  const elsewhere = ELSEWHERE[id]
  if (elsewhere !== undefined) return assumedRejection(404, elsewhere)
  const booking = findBooking(model, id)
  return booking ? respond(200, shownBooking(model, booking)) : assumedRejection(404, `Booking '${id}' not found.`)
}

/**
 * GET /Bookings. The specification says "either StartDate with EndDate, or UpdatedFromDate with UpdatedToDate. Mixing
 * the two kinds or giving neither returns no results and no error." The order of the bookings and the effects of the
 * flags are assumptions. The model also assumes that both ends are inclusive.
 */
const listBookings: Rule = (call) => {
  const { model, query } = call
  const isGiven = (name: string) => Boolean(query.get(name))
  const byStart = ['StartDate', 'EndDate'].filter(isGiven)
  const byChange = ['UpdatedFromDate', 'UpdatedToDate'].filter(isGiven)
  if (byStart.length + byChange.length !== 2 || byStart.length === 1) return respond(200, { count: 0, bookings: [] })
  const [first = '', last = ''] = byStart.length === 2 ? byStart : byChange
  const [from, to] = [readDate(call, first, null), readDate(call, last, null)]
  if (from === null || to === null) return assumedRejection(400, 'Invalid Date passed.')
  const timeOf = (one: Booking) => (byStart.length === 2 ? one.starts : one.modified)
  const serviceName = query.get('ServiceName')
  const found = model.bookings
    .filter((one) => timeOf(one) >= from && timeOf(one) <= to)
    .filter((one) => query.get('IncludeCancelledBookings') !== 'false' || one.status !== 'CANCELLED')
    .filter((one) => serviceName === null || findService(model, one.serviceId)?.name === serviceName)
    .sort((a, b) => timeOf(a) - timeOf(b))
  const bookings = found.map((one) => ({
    ...listedBooking(model, one),
    ...(query.get('IncludeCustomerDetails') === 'true' ? { customer: customerOf(model, one) } : {}),
  }))
  return respond(200, { count: found.length, bookings })
}

const listStatuses: Rule = ({ model }) => respond(200, model.venue.statuses)

/**
 * POST /Bookings. The specification says "enforces no availability or capacity rules and creates the booking
 * regardless; serviceId and sectionId are optional".
 */
const createWalkIn: Rule = (call) => {
  const { model, body } = call
  // The specification says "numOfPeople is required (a required field missing or null)".
  if (isMissing(body.numOfPeople)) return required('numOfPeople')
  const wrong = rejectNumbers(body)
  if (wrong) return wrong
  const starts = readTime(model, body)
  if (starts === null) return invalidTime()
  // The specification says "guests are seated immediately".
  const status = body.status || 'SEATED'
  if (!findStatus(model, status)) return invalidStatus(status)
  const tables = readTables(model, body)
  if (!Array.isArray(tables)) return tables as ExpectedResponse
  // The specification says "the service is resolved when serviceId is given". The model assumes that an unknown service
  // is ignored, and that a booking without a service takes 90 minutes.
  const service = findService(model, body.serviceId)
  const [serviceId, duration] = [service?.id ?? null, body.duration ?? service?.duration ?? 90]
  const tableIds = tables.map(({ id }) => id)
  const booking = addBooking(call, { method: 'walkin', starts, duration, serviceId, status, tableIds })
  return respond(201, bookingResponse(model, booking, body.sectionId))
}

export function addBooking(
  call: Call,
  made: Pick<Booking, 'method' | 'starts' | 'duration' | 'serviceId' | 'status' | 'tableIds'>,
): Booking {
  const { model, body } = call
  const booking: Booking = {
    ...made,
    id: readChosenText(call, 'bookingId'),
    externalId: body.bookingId ?? null,
    bookedAt: model.now,
    modified: model.now,
    local: '',
    people: body.numOfPeople,
    notes: body.notes ?? null,
    customer: body.customer ? storeCustomer(model, body.customer) : null,
  }
  moveTo(model, booking, made.starts)
  model.bookings.push(booking)
  announce(model, 'BOOKING_CREATED', booking.id)
  return booking
}

function recordChange(model: Model, booking: Booking): void {
  touch(model, booking)
  announce(model, 'BOOKING_UPDATED', booking.id)
}

const noBooking = (bookingId: string) => assumedRejection(404, `bookingId: ${bookingId} not found`)

/**
 * POST /Bookings/UpdateBookingAsync. The specification says "the bookingId field of the body identifies it". The model
 * assumes that omitted members do not change.
 */
const updateBooking: Rule = ({ model, body }) => {
  if (isMissing(body.bookingId)) return required('bookingId')
  const wrong = rejectNumbers(body)
  if (wrong) return wrong
  const booking = findBooking(model, body.bookingId)
  if (!booking) return noBooking(body.bookingId)
  const starts = readTime(model, body)
  if (starts === null) return invalidTime()
  if (body.status && !findStatus(model, body.status)) return invalidStatus(body.status)
  const service = findService(model, body.serviceId)
  if (body.serviceId && !service) return assumedRejection(400, `Invalid Service '${body.serviceId}'`)
  const tables = readTables(model, body)
  if (!Array.isArray(tables)) return tables as ExpectedResponse
  // If the local time does not change, the booking keeps its instant. This matters for a local time that occurs twice.
  if (body.bookingTimeAsUtc || !isSameLocal(model, starts, booking.local)) moveTo(model, booking, starts)
  booking.serviceId = service?.id ?? booking.serviceId
  booking.duration = body.duration ?? booking.duration
  booking.people = body.numOfPeople ?? booking.people
  booking.status = body.status || booking.status
  booking.notes = body.notes ?? booking.notes
  if (body.tables) booking.tableIds = tables.map(({ id }) => id)
  if (body.customer) booking.customer = storeCustomer(model, body.customer)
  recordChange(model, booking)
  return respond(201, bookingResponse(model, booking, body.sectionId))
}

/** PATCH /Bookings/{bookingId}/updatepax. The request body and the rejections are assumptions. */
const updatePax: Rule = ({ model, parameters: { bookingId = '' }, body: { pax } }) => {
  if (isNonNumber(pax) || (pax && !Number.isInteger(pax))) return malformed()
  if (isMissing(pax)) return required('pax')
  if (pax <= 0) return assumedRejection(400, 'The value of Pax must be greater than 0')
  if (pax > 2 ** 31 - 1) return malformed()
  const booking = findBooking(model, bookingId)
  if (!booking) return noBooking(bookingId)
  booking.people = pax
  recordChange(model, booking)
  return respond(200, receipt(model, booking))
}

/**
 * PATCH /Bookings/{bookingId}/updatestatus. The specification says "using a status code". The model assumes that every
 * transition is accepted, because the specification says "Transitions between booking statuses: not shown".
 */
const updateStatus: Rule = ({ model, parameters: { bookingId = '' }, body: { status } }) => {
  if (isMissing(status)) return required('status')
  const booking = findBooking(model, bookingId)
  if (!booking) return noBooking(bookingId)
  if (!findStatus(model, status)) return invalidStatus(status)
  booking.status = status
  recordChange(model, booking)
  return respond(200, receipt(model, booking))
}

/**
 * PATCH /Bookings/{bookingId}/updatetables. Tables are identified by name and section. The request body and the
 * rejections are assumptions.
 */
const updateTables: Rule = ({ model, parameters: { bookingId = '' }, body }) => {
  const booking = findBooking(model, bookingId)
  if (!booking) return noBooking(bookingId)
  if (!body.tables?.length) return assumedRejection(400, 'No tables provided')
  const ids: string[] = []
  for (const { name, section } of body.tables) {
    const table = model.venue.tables.find((one) => one.name === name && one.sectionName === section)
    if (!table) return assumedRejection(400, `Table '${name}' in section '${section}' not found`)
    ids.push(table.id)
  }
  if (new Set(ids).size < ids.length) return assumedRejection(400, 'Duplicate table entries')
  const occupied = occupiedTables(model, booking.starts, booking.starts + booking.duration * MINUTE, booking.id)
  const conflict = model.venue.tables.find(({ id }) => id === ids.find((one) => occupied.has(one)))
  if (conflict && !body.allowTableBookingConflict)
    return assumedRejection(400, `Table '${conflict.name}' is already booked at that time`)
  booking.tableIds = ids
  recordChange(model, booking)
  return respond(200, receipt(model, booking))
}

/**
 * GET /Bookings/tables. The specification says "Available tables for a date and duration." The model assumes that the
 * duration starts at the given instant and is 90 minutes by default.
 */
const listTables: Rule = (call) => {
  const { model, query } = call
  const from = readDate(call, 'Date', null)
  if (from === null) return assumedRejection(400, 'Invalid Date passed.')
  const occupied = occupiedTables(model, from, from + Number(query.get('Duration') ?? 90) * MINUTE)
  const shown = [...Map.groupBy(model.venue.tables, ({ sectionId }) => sectionId).values()].map((tables) =>
    atLeast({
      sectionId: tables[0]?.sectionId,
      sectionName: tables[0]?.sectionName,
      tables: tables
        .filter(({ id }) => !occupied.has(id))
        .map(({ id, ...table }) => ({ _id: id, shared: ANYTHING, ...table })),
    }),
  )
  return respond(200, shown)
}

export const BOOKINGS = {
  'bookings.get': defineRule('GET /Bookings/{id}', getBooking),
  'bookings.statuses': defineRule('GET /Resources/booking-statuses', listStatuses),
  'bookings.list': defineRule('GET /Bookings', listBookings),
  'bookings.create': defineRule('POST /Bookings', createWalkIn),
  'bookings.tables': defineRule('GET /Bookings/tables', listTables),
  'bookings.update': defineRule('POST /Bookings/UpdateBookingAsync', updateBooking),
  'bookings.update-pax': defineRule('PATCH /Bookings/{bookingId}/updatepax', updatePax),
  'bookings.update-status': defineRule('PATCH /Bookings/{bookingId}/updatestatus', updateStatus),
  'bookings.update-tables': defineRule('PATCH /Bookings/{bookingId}/updatetables', updateTables),
} satisfies Partial<Rules>
