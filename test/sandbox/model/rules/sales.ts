import {
  assumedRejection,
  type Call,
  Difference,
  type ExpectedResponse,
  malformed,
  type Rule,
  reject,
  required,
  respond,
} from '../expected-response.ts'
import { ANYTHING, atLeast } from '../pattern.ts'
import { type Booking, iso, type Model, type Sale } from '../state.ts'
import { customerOf, findBooking, findStatus, listedBooking, MINUTE, touch } from './booking.ts'
import { invalidStatus } from './booking-requests.ts'
import { readDate } from './cards.ts'
import { announce } from './events.ts'
import { readPage, toPage } from './pages.ts'
import { defineRule, type Rules } from './rule.ts'

const HOUR = 60 * MINUTE

/**
 * How long a repeated sale ID counts as a duplicate. A day is an assumption, because the specification says "Length of
 * the deduplication window: not shown".
 */
const WINDOW_MS = 24 * HOUR

/** The members that a sale must have. This is an assumption. */
const REQUIRED = ['origin.saleId', 'source.type', 'type', 'openedZonedDateTime', 'staff.id', 'table.seats'] as const

/**
 * POST /Sales. The specification says "amounts are in cents; linked to a booking by booking ID or table number; a
 * status code may be given".
 */
const createSale: Rule = (call) => {
  const { model, body } = call
  for (const field of REQUIRED) {
    const value = field.split('.').reduce((part, member) => part?.[member], body)
    if (value === undefined || value === null || value === '') return required(field)
  }
  if (!['SALE', 'REFUND', 'VOID'].includes(body.type)) return malformed()
  const opened = Date.parse(body.openedZonedDateTime)
  const closed = body.closedZonedDateTime ? Date.parse(body.closedZonedDateTime) : opened
  if (Number.isNaN(opened) || Number.isNaN(closed)) return malformed()
  if (body.status && !findStatus(model, body.status)) return invalidStatus(body.status)
  const { saleId } = body.origin
  // The specification says "a duplicate ID within the deduplication window gives 409". The exact message is an
  // assumption.
  const before = model.sales.find(({ id }) => id === saleId)
  if (before && model.now - before.received < WINDOW_MS)
    return assumedRejection(409, `Sale '${saleId}' has already been submitted.`)
  const booking = linkedBooking(call, opened)
  if (body.bookingId && !booking) return reject(400, `Booking '${body.bookingId}' not found.`)
  putSale(model, saleId, { received: model.now, closed, bookingId: booking?.id ?? null, ...amountsOf(body) })
  if (booking) {
    booking.status = body.status || booking.status
    touch(model, booking)
    announce(model, 'BOOKING_UPDATED', booking.id)
  }
  return respond(200, atLeast({ saleId, bookingId: booking?.id ?? null }))
}

/** Adds a sale. The model assumes that it replaces an earlier sale with the same ID. */
export function putSale(model: Model, id: string, sale: Omit<Sale, 'id'>): void {
  const before = model.sales.find((one) => one.id === id)
  if (before) Object.assign(before, sale)
  else model.sales.push({ id, ...sale })
}

/**
 * Returns the amounts of a sale, which are negative for refunds and voids. The model assumes that the amount is the
 * total, or the sum of the payments if no total is given.
 */
export function amountsOf({ total, payments, tax, type }: Call['body']): Pick<Sale, 'cents' | 'taxCents' | 'type'> {
  const paid = payments?.reduce(
    (sum: number, payment: Call['body']) => sum + (payment?.goodsAndServicesAmount?.amount ?? 0),
    0,
  )
  const cents = total?.amount ?? paid ?? 0
  const isRefund = type === 'REFUND' || type === 'VOID'
  const signed = isRefund ? -Math.abs(cents) || 0 : cents
  return { cents: signed, taxCents: (signed < 0 ? -1 : 1) * Math.abs(tax?.amount ?? 0) || 0, type: type ?? null }
}

/**
 * Finds the booking that a sale is linked to. The specification says "linked to a booking by booking ID or table
 * number".
 */
function linkedBooking(call: Call, opened: number): Booking | undefined {
  const { model, body } = call
  if (body.bookingId) return findBooking(model, body.bookingId)
  const candidates = body.table.number ? guestsAt(model, body.table.number, opened) : []
  if (candidates.length <= 1) return candidates[0]
  // Several bookings match equally well, so the service may choose any of them.
  const chosen = (call.reply.body as { readonly bookingId?: unknown } | undefined)?.bookingId
  const found = candidates.find(({ id }) => id === chosen)
  if (found) return found
  throw new Difference(
    `the sale should be linked to one of ${candidates.map(({ id }) => id)}, but is linked to ${chosen}`,
  )
}

/**
 * Returns the bookings that a sale at a table can be linked to. The model assumes that the parties seated at the table
 * qualify, however long ago they arrived. If no party is seated there, a booking qualifies if it starts between 12
 * hours before and 1 hour after the sale and ends no earlier than 2 hours before it. In both cases, only the bookings
 * that start nearest to the sale are returned.
 */
function guestsAt(model: Model, tableName: string, opened: number): Booking[] {
  const table = model.venue.tables.find(({ name, id }) => name === tableName || id === tableName)
  if (!table) return []
  const there = model.bookings.filter(({ starts, tableIds }) => tableIds.includes(table.id) && starts <= opened + HOUR)
  const seated = there.filter(({ status }) => status === 'SEATED')
  const expected = there.filter(
    ({ starts, duration, status }) =>
      starts >= opened - 12 * HOUR &&
      starts + duration * MINUTE >= opened - 2 * HOUR &&
      status !== 'CANCELLED' &&
      status !== 'NOSHOW',
  )
  const best = seated.length > 0 ? seated : expected
  const least = Math.min(...best.map(({ starts }) => Math.abs(starts - opened)))
  return best.filter(({ starts }) => Math.abs(starts - opened) === least)
}

/**
 * GET /Sales. The specification says "Paginated sales data linked to bookings". Sales without a booking are listed only
 * if the sandbox is configured to list them. The model assumes that sales are sorted by closing time, that both ends
 * are inclusive, and that amounts are in currency units.
 */
const listSales: Rule = (call): ExpectedResponse => {
  const { model, query } = call
  const page = readPage(query)
  if (page === null) return malformed()
  const [from, to] = [readDate(call, 'StartDate', null), readDate(call, 'EndDate', null)]
  if (from === null || to === null) return assumedRejection(400, 'Invalid Date passed.')
  const isListed = ({ bookingId }: Sale) => bookingId !== null || model.listsUnlinkedSales
  const found = model.sales
    .filter((sale) => sale.closed >= from && sale.closed <= to && isListed(sale))
    .sort((a, b) => a.closed - b.closed)
  const items = found.map((sale) => shownSale(model, sale))
  return respond(200, toPage(page, items))
}

const RECORD = 'bookingId bookingTime duration people serviceId lastModifiedDate tables status'.split(' ')

function shownSale(model: Model, sale: Sale): unknown {
  const booking = model.bookings.find(({ id }) => id === sale.bookingId)
  const members = booking ? listedBooking(model, booking) : {}
  const record = booking
    ? { ...Object.fromEntries(RECORD.map((name) => [name, members[name]])), customer: customerOf(model, booking) }
    : { bookingId: null, customer: ANYTHING }
  const saleDetail = atLeast({
    transactionId: sale.id,
    transactionDateTime: iso(sale.closed),
    total: sale.cents / 100,
    tax: sale.taxCents / 100,
    totalExTax: (sale.cents - sale.taxCents) / 100,
    status: sale.type,
  })
  return atLeast({ ...record, saleDetail })
}

export const SALES = {
  'sales.create': defineRule('POST /Sales', createSale),
  'sales.list': defineRule('GET /Sales', listSales),
} satisfies Partial<Rules>
