import { DEFAULT_STATUS } from '../../../contract/bookings/statuses.ts'
import { insertBooking } from '../../records/bookings.ts'
import { storeCustomer } from '../../records/customers.ts'
import { makeSchedule, readOccupancy } from '../../records/schedule.ts'
import { dayOf, MINUTE } from '../../venue/time.ts'
import { findStatus, type Table } from '../../venue/venue.ts'
import type { Handlers } from '../handler.ts'
import { checkNumbers, readTables, readTime, requestedMembers, toBookingResponse } from './requests.ts'

export const RESERVATION_HANDLERS = {
  /** POST /Reservations. Checks for missing members first, then for invalid members, then for free tables. */
  'reservations.create': ({ store, body, now, refuse, announce }) => {
    if (body.numOfPeople === undefined || body.numOfPeople === null)
      throw refuse('requiredField', { field: 'numOfPeople' })
    const people = body.numOfPeople
    checkNumbers(body)
    const { serviceId, sectionId, customer } = body
    if (!serviceId) throw refuse('serviceRequired')
    if (!sectionId) throw refuse('sectionRequired')
    if (!customer?.firstName?.trim() || !customer.lastName?.trim() || !customer.phone?.trim())
      throw refuse('customerRequired')
    const time = readTime(body, store.zone)
    if (!time) throw refuse('invalidTime')
    const status = findStatus(body.status || DEFAULT_STATUS)
    if (!status) throw refuse('invalidStatus', { status: body.status ?? '' })

    const noService = () => refuse('noServiceAvailable', { bookingTime: time.asSent, numOfPeople: people })
    const offers = makeSchedule(store, dayOf(time.local), { people }, now)
      .services.map(({ service, slots }) => ({ service, slot: slots.find((slot) => slot.starts === time.starts) }))
      .filter(({ slot }) => slot && !slot.expired && slot.tables.length > 0)
    if (offers.length === 0) throw noService()
    const offer = offers.find(({ service }) => service.id === serviceId)
    if (!offer?.slot) throw refuse('invalidService', { serviceId })

    const duration = body.duration ?? offer.service.duration
    const named = readTables(body, refuse)
    const elsewhere = named.find((table) => table.sectionId !== sectionId)
    if (elsewhere) throw refuse('tableElsewhere', { table: elsewhere.id, sectionId })
    const unreservable = named.find((table) => table.walkinOnly || !table.online)
    if (unreservable) throw refuse('walkInsOnly', { table: unreservable.id })
    if (named.length > 0 && !canSeat(named, people))
      throw refuse('tablesUnfit', { tables: named.map(({ id }) => id).join(', '), numOfPeople: people })
    const ends = time.starts + duration * MINUTE
    const occupied = readOccupancy(store, store.venue.id, time.starts, ends)(time.starts, ends)
    const free = offer.slot.tables.filter((table) => table.sectionId === sectionId && !occupied.has(table.id))
    const tableIds = named.length > 0 ? named.map(({ id }) => id) : pickSmallest(free)
    if (tableIds.length === 0 || tableIds.some((id) => occupied.has(id))) throw noService()

    const document = insertBooking(store, {
      method: 'online',
      ...requestedMembers(body, time, now),
      duration,
      people,
      service: offer.service,
      status,
      tableIds,
      customerId: storeCustomer(store, customer, now),
    })
    announce(document.bookingId)
    return { status: 201, body: toBookingResponse(document, sectionId) }
  },
} satisfies Partial<Handlers>

/** Whether the tables together have enough seats, and the party is large enough for each of them. */
function canSeat(tables: readonly Table[], people: number): boolean {
  const seats = tables.reduce((sum, { capacity }) => sum + capacity, 0)
  return people <= seats && tables.every(({ minCapacity }) => people >= minCapacity)
}

/**
 * Returns an array with only the ID of the smallest of the given tables, so that larger tables stay free for larger
 * parties.
 */
function pickSmallest(tables: readonly Table[]): string[] {
  const [smallest] = tables.toSorted((a, b) => a.capacity - b.capacity)
  return smallest ? [smallest.id] : []
}
