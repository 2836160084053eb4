import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'
import { findBooking, findVenueBooking, type StoredBooking } from '../../records/bookings.ts'
import { findCustomer, WALK_IN_CUSTOMER } from '../../records/customers.ts'
import type { Diary } from '../../store/diary.ts'
import { readInstant } from '../../venue/time.ts'
import { REMOVED_LOCATION_ID, STATUSES } from '../../venue/venue.ts'
import type { Handlers } from '../handler.ts'
import { readFlag } from '../query.ts'
import { findRanks, writeBookingList } from './list.ts'

export const BOOKING_HANDLERS = {
  /**
   * GET /Bookings. Returns an empty list if the date filters are missing, incomplete or mixed. Source: "Other
   * endpoints".
   */
  'bookings.list': ({ store, query, refuse }) => {
    const withCustomer = readFlag(query, 'IncludeCustomerDetails', false)
    const withCancelled = readFlag(query, 'IncludeCancelledBookings', true)
    const [start, end] = [query.get('StartDate'), query.get('EndDate')]
    const [updatedFrom, updatedTo] = [query.get('UpdatedFromDate'), query.get('UpdatedToDate')]
    const isByStart = Boolean(start || end)
    const [first, last] = isByStart ? [start, end] : [updatedFrom, updatedTo]
    if (!first || !last || (isByStart && (updatedFrom || updatedTo)))
      return { status: 200, body: { count: 0, bookings: [] } }
    const [from, to] = [readInstant(first), readInstant(last)]
    if (from === null || to === null) throw refuse('invalidDate')
    const by = isByStart ? 'starts' : 'modified'
    const ranks = findRanks(store, { by, from, to, serviceName: query.get('ServiceName'), withCancelled })
    return { status: 200, stream: writeBookingList(store, ranks, withCustomer) }
  },

  'bookings.get': ({ store, parameters: { id }, refuse }) => {
    if (!PATH_ID_PATTERN.test(id)) throw refuse('invalidRequest')
    const booking = findBooking(store, id) ?? findVenueBooking(store, id)
    if (!booking) throw refuse('notFound', { id })
    if (booking.document.locationId === REMOVED_LOCATION_ID) throw refuse('locationNotFound')
    if (!store.isLinked(booking.document.locationId)) throw refuse('noVenueAtLocation')
    return { status: 200, body: toBooking(store, booking) }
  },
  'bookings.statuses': () => ({ status: 200, body: STATUSES }),
} satisfies Partial<Handlers>

/** Creates a Booking object, with its members in the same order as in the specification. */
export function toBooking(store: Diary, { document, customerId }: StoredBooking): Record<string, unknown> {
  const { tables, tags, status, paymentSummary, items, ...own } = document
  const customer = (customerId && findCustomer(store, customerId)) || WALK_IN_CUSTOMER
  return { ...own, customer, tables, tags, status, paymentSummary, items }
}
