import { localText } from '../local-time.ts'
import { ANYTHING, atLeast } from '../pattern.ts'
import { type Booking, iso, type Model, type Table } from '../state.ts'
import { shownCustomer } from './customers.ts'

export const MINUTE = 60_000

/** IDs of bookings at other locations, each with the 404 message that it causes. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'BK-LOST': 'Location of the POS not found.',
  'BK-OTHER': 'No venue subscribed to the location.',
}

/**
 * Finds a booking by its ID. The model assumes that the partner's own ID also works, and that it refers to the newest
 * booking with that ID.
 */
export function findBooking(model: Model, id: unknown): Booking | undefined {
  return model.bookings.find((one) => one.id === id) ?? model.bookings.findLast((one) => one.externalId === id)
}

/**
 * Finds one of the venue's statuses by its code. The specification says "The code is what is sent wherever a status is
 * set."
 */
export const findStatus = ({ venue }: Model, code: unknown) => venue.statuses.find((one) => one.code === code)

export const findService = ({ venue }: Model, id: unknown) => venue.services.find((one) => one.id === id)

function tablesOf({ venue }: Model, ids: readonly string[]): Table[] {
  return ids.flatMap((id) => venue.tables.filter((table) => table.id === id))
}

/**
 * Sets the time of a booking's last change to now. Source: "lastModifiedDate: ISO 8601 timestamp of latest
 * modification".
 */
export function touch(model: Model, booking: Booking): void {
  booking.modified = model.now
}

export function moveTo(model: Model, booking: Booking, starts: number): void {
  booking.starts = starts
  booking.local = localText(starts, model.venue.timezone)
}

/** The statuses in which a booking does not occupy its tables. This is an assumption. */
const TABLE_FREEING_STATUSES = ['CANCELLED', 'NOSHOW', 'FINISHED']

export function occupiedTables(model: Model, from: number, to: number, except: string | null = null): Set<string> {
  const holding = model.bookings.filter(
    (one) =>
      one.id !== except &&
      !TABLE_FREEING_STATUSES.includes(one.status) &&
      one.starts < to &&
      one.starts + one.duration * MINUTE > from,
  )
  return new Set(holding.flatMap((one) => one.tableIds))
}

/**
 * Returns how much the guests of a booking have spent, in cents. The model assumes that refunds and voids are deducted.
 */
function spentCents(model: Model, booking: Booking): number {
  return model.sales.filter((sale) => sale.bookingId === booking.id).reduce((sum, sale) => sum + sale.cents, 0)
}

/** Returns the members that a booking has in every response. Source: "Booking (response of GET /Bookings/{id})". */
export function listedBooking(model: Model, booking: Booking): Record<string, unknown> {
  const service = findService(model, booking.serviceId)
  return {
    bookingId: booking.id,
    locationId: model.venue.locationId,
    method: booking.method,
    bookedAt: iso(booking.bookedAt),
    bookingTime: booking.local,
    duration: booking.duration,
    people: booking.people,
    serviceId: service?.id ?? null,
    serviceName: service?.name ?? null,
    serviceType: service?.serviceType ?? null,
    lastModifiedDate: iso(booking.modified),
    notes: booking.notes,
    tables: tablesOf(model, booking.tableIds).map(({ id, name, sectionId, sectionName }) => ({
      tableId: id,
      tableName: name,
      sectionId,
      sectionName,
    })),
    tags: [],
    status: findStatus(model, booking.status),
    // Bookings created by a partner need no payment. The model assumes that all amounts are 0 and that all other
    // members are null.
    paymentSummary: atLeast({ amount: 0, amountDue: 0, amountPaid: 0 }),
    items: [],
  }
}

/**
 * Returns the complete booking. The specification says "The response carries no properties other than those listed."
 */
export function shownBooking(model: Model, booking: Booking): Record<string, unknown> {
  return { ...listedBooking(model, booking), customer: customerOf(model, booking) }
}

/**
 * Returns the customer of a booking. The specification says "the customer is optional and defaults to a walk-in
 * placeholder customer", but does not document the members of that placeholder.
 */
export function customerOf(model: Model, { customer }: Booking): unknown {
  const known = customer === null ? undefined : model.customers[customer]
  return known ? shownCustomer(model, known) : atLeast({ subscribed: ANYTHING })
}

/** Returns the response to a reservation, a walk-in or a booking update. Source: "Response 201 fields". */
export function bookingResponse(model: Model, booking: Booking, sectionId: unknown): Record<string, unknown> {
  const tables = tablesOf(model, booking.tableIds)
  const service = findService(model, booking.serviceId)
  return {
    bookingId: booking.id,
    time: booking.local,
    numOfPeople: booking.people,
    bookingStatus: booking.status,
    duration: booking.duration,
    tableNames: tables.map(({ name }) => name),
    serviceId: service?.id ?? '',
    serviceName: service?.name ?? '',
    sectionId: sectionId ?? tables[0]?.sectionId ?? '',
    isSuccess: true,
    errorMessage: '',
  }
}

/** Returns the receipt for a booking. All of its members are assumptions. */
export function receipt(model: Model, booking: Booking): Record<string, unknown> {
  return {
    bookingId: booking.id,
    bookingRef: ANYTHING,
    amountSpent: spentCents(model, booking) / 100,
    status: booking.status,
    pax: booking.people,
  }
}
