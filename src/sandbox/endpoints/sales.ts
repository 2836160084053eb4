import { isJsonObject, type JsonObject } from '../../base/json/exact.ts'
import { SALE_TYPES } from '../../contract/sales.ts'
import { changeBooking, findVenueBooking, readBooking, type StoredBooking } from '../records/bookings.ts'
import { WALK_IN_CUSTOMER } from '../records/customers.ts'
import { DUPLICATE_WINDOW_MS, findReceived, listsUnlinkedSales, putSale, readPrice, sumSale } from '../records/sales.ts'
import type { Diary } from '../store/diary.ts'
import type { Row } from '../store/store.ts'
import { HOUR } from '../venue/time.ts'
import { findStatus, TABLES } from '../venue/venue.ts'
import { toBooking } from './bookings/bookings.ts'
import type { Handlers } from './handler.ts'
import { readPageRange, readQueryInstant, toPage } from './query.ts'
import { Malformed } from './refusals.ts'

/** The required members of a sale. This is an assumption: the specification does not say. */
const REQUIRED = ['origin.saleId', 'source.type', 'type', 'openedZonedDateTime', 'staff.id', 'table.seats'] as const

export const SALE_HANDLERS = {
  /**
   * POST /Sales. Links the sale to a booking by the booking's ID or, if no ID is given, by table. Sets the booking's
   * status if the request contains one.
   */
  'sales.create': ({ store, body, now, refuse, announce }) => {
    const sent = body as JsonObject
    for (const field of REQUIRED) if (isMissing(sent, field)) throw refuse('requiredField', { field })
    const saleId = body.origin?.saleId ?? ''
    if (!SALE_TYPES.some((type) => type === body.type))
      throw new Malformed({ type: [`The type must be one of ${SALE_TYPES.join(', ')}.`] })
    const opened = readZoned(body.openedZonedDateTime ?? '', 'openedZonedDateTime')
    const closed = body.closedZonedDateTime ? readZoned(body.closedZonedDateTime, 'closedZonedDateTime') : opened
    if (body.status && !findStatus(body.status)) throw refuse('invalidStatus', { status: body.status })
    const before = findReceived(store, saleId)
    if (before !== null && now - before < DUPLICATE_WINDOW_MS) throw refuse('duplicate', { saleId })
    const named = body.bookingId ? findVenueBooking(store, body.bookingId) : undefined
    if (body.bookingId && !named) throw refuse('bookingNotFound', { bookingId: body.bookingId })
    const booking =
      named ??
      (body.table?.number ? findBookingAtTable(store, readLocation(store, sent), body.table.number, opened) : undefined)
    const bookingId = booking?.document.bookingId ?? null
    putSale(store, { saleId, received: now, closed, bookingId, cents: sumSale(sent), sent })
    if (booking) {
      changeBooking(store, booking, body.status ? { status: body.status } : {}, now)
      announce(booking.document.bookingId)
    }
    return { status: 200, body: { saleId, bookingId, status: 'Submitted' } }
  },

  /**
   * GET /Sales. Returns the sales that are linked to a booking, sorted by closing time, with amounts in currency units.
   * If `listsUnlinkedSales` is set, also returns sales without a booking.
   */
  'sales.list': ({ store, query, refuse }) => {
    const range = readPageRange(query)
    const from = readQueryInstant(query, 'StartDate', () => refuse('invalidDate'))
    const to = readQueryInstant(query, 'EndDate', () => refuse('invalidDate'))
    if (from === null || to === null) throw refuse('invalidDate')
    const rows = store.all(
      `SELECT b.*, s.document AS sale, s.closed AS sale_closed, s.cents AS sale_cents
       FROM sales AS s ${listsUnlinkedSales(store) ? 'LEFT ' : ''}JOIN bookings AS b ON b.id = s.booking
       WHERE s.closed BETWEEN ? AND ? ORDER BY s.closed, s.rank LIMIT ? OFFSET ?`,
      ...[from, to, range.limit, range.start],
    )
    const items = rows.map((row) => toSaleRecord(store, row))
    return { status: 200, body: toPage(range, items) }
  },
} satisfies Partial<Handlers>

function isMissing(sent: JsonObject, field: string): boolean {
  let value: unknown = sent
  for (const member of field.split('.')) value = isJsonObject(value) ? value[member] : undefined
  return value === undefined || value === null || value === ''
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)(\[[\w/+-]+\])?$/

function readZoned(text: string, field: string): number {
  const at = ZONED.test(text) ? Date.parse(text.replace(/\[.*$/, '')) : Number.NaN
  if (Number.isNaN(at))
    throw new Malformed({ [field]: [`The value of ${field} is not a date and time with a time zone.`] })
  return at
}

/**
 * Returns the sale's location. If the location is missing or not linked to the app, returns the app's first location.
 * This is an assumption: the specification does not say.
 */
function readLocation(store: Diary, sent: JsonObject): string {
  const origin = isJsonObject(sent['origin']) ? sent['origin'] : {}
  const named = [sent['locationId'], origin['locationId']]
  return named.find((id): id is string => typeof id === 'string' && store.isLinked(id)) ?? store.venue.id
}

/**
 * Finds the booking that is seated at a table or, if there is none, the one that is expected there around the given
 * time.
 */
function findBookingAtTable(store: Diary, location: string, number: string, at: number): StoredBooking | undefined {
  const table = TABLES.find((one) => one.name.toLowerCase() === number.toLowerCase() || one.id === number)
  if (!table) return undefined
  const latest = at + HOUR
  const seated = store.all(
    `SELECT * FROM bookings WHERE location = ? AND status = 'SEATED' AND starts <= ? ORDER BY abs(starts - ?)`,
    ...[location, latest, at],
  )
  const expected = () =>
    store.all(
      `SELECT * FROM bookings WHERE location = ? AND starts BETWEEN ? AND ? AND ends >= ? AND status NOT IN ('CANCELLED', 'NOSHOW')
       ORDER BY abs(starts - ?)`,
      ...[location, at - 12 * HOUR, latest, at - 2 * HOUR, at],
    )
  const isAtTable = (booking: StoredBooking) => booking.tableIds.includes(table.id)
  return seated.map(readBooking).find(isAtTable) ?? expected().map(readBooking).find(isAtTable)
}

function toSaleRecord(store: Diary, row: Row): Record<string, unknown> {
  const sent = JSON.parse(String(row['sale'])) as JsonObject
  const booking = row['id'] === null ? null : toBooking(store, readBooking(row))
  const { locationId, bookedAt, paymentSummary, items, ...record } = booking ?? makeEmptyBooking(sent)
  return { ...record, saleDetail: toSaleDetail(sent, Number(row['sale_cents']), Number(row['sale_closed'])) }
}

/** Creates the booking members for a sale without a booking. Most of them are `null`. */
function makeEmptyBooking(sent: JsonObject): Record<string, unknown> {
  const unknown = ['bookingId', 'method', 'bookingTime', 'serviceId', 'serviceName', 'serviceType', 'notes']
  const allNull = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))
  const seats = isJsonObject(sent['table']) ? sent['table']['seats'] : null
  return {
    ...allNull(unknown),
    duration: 0,
    people: typeof seats === 'number' ? seats : 0,
    lastModifiedDate: null,
    customer: { ...WALK_IN_CUSTOMER, ...allNull(['id', 'firstName', 'lastName']) },
    tables: [],
    tags: [],
    status: allNull(['statusType', 'code', 'name']),
  }
}

function toSaleDetail(sent: JsonObject, cents: number, closed: number): Record<string, unknown> {
  const part = (name: string) => (isJsonObject(sent[name]) ? (sent[name] as JsonObject) : {})
  // In refunds and voids, every amount is negative.
  const sign = cents < 0 ? -1 : 1
  const signedCents = (name: string) => sign * Math.abs(readPrice(sent[name]) ?? 0) || 0
  return {
    transactionId: part('origin')['saleId'] ?? null,
    transactionDateTime: new Date(closed).toISOString(),
    storeName: part('origin')['locationName'] ?? null,
    posName: part('register')['name'] ?? null,
    posId: part('register')['id'] ?? null,
    staffId: part('staff')['id'] ?? null,
    staffName: part('staff')['name'] ?? null,
    total: cents / 100,
    totalExTax: (cents - signedCents('tax')) / 100,
    tax: signedCents('tax') / 100,
    discount: signedCents('discounts') / 100,
    tipAmount: 0,
    status: sent['type'] ?? null,
    actualStartTime: sent['openedZonedDateTime'] ?? null,
    actualEndTime: sent['closedZonedDateTime'] ?? null,
    payments: sent['payments'] ?? [],
    items: sent['items'] ?? [],
  }
}
