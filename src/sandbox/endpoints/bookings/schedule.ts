import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import { findVenueBooking } from '../../records/bookings.ts'
import { makeSchedule, type ScheduleDay, type Slot } from '../../records/schedule.ts'
import { dayOf, formatClockTime, readInstant } from '../../venue/time.ts'
import { SECTIONS, type Service } from '../../venue/venue.ts'
import type { Handlers } from '../handler.ts'
import { readInteger } from '../query.ts'
import { Malformed } from '../refusals.ts'

const MAX_DAYS = 62

export const SCHEDULE_HANDLERS = {
  /**
   * GET /Bookings/schedule. Returns one entry for each of the venue's days in the range. Without an end, returns one
   * day.
   */
  'bookings.schedule': ({ store, query, now, refuse }) => {
    const start = query.get('BookingDateTimeStart')
    if (!start) throw refuse('requiredField', { field: 'BookingDateTimeStart' })
    const people = readInteger(query, 'NumOfPeople', 1, MAX_INT32)
    if (people === null) throw refuse('requiredField', { field: 'NumOfPeople' })
    const end = query.get('BookingDateTimeEnd')
    const from = readInstant(start)
    const to = end ? readInstant(end) : null
    if (from === null || (end && to === null)) throw refuse('invalidDate')
    const firstDay = dayOf(store.zone.toLocal(from))
    const lastDay = to === null ? firstDay : dayOf(store.zone.toLocal(to))
    if (lastDay - firstDay >= MAX_DAYS)
      throw new Malformed({ BookingDateTimeEnd: [`The range must not be longer than ${MAX_DAYS} days.`] })
    const bookingId = query.get('BookingId')
    const except = bookingId ? (findVenueBooking(store, bookingId)?.document.bookingId ?? null) : null
    const isRequested = (slot: Slot) => to === null || (slot.starts >= from && slot.starts <= to)
    const days = []
    for (let day = firstDay; day <= lastDay; day++)
      days.push(toDay(makeSchedule(store, day, { people, except }, now), isRequested))
    return { status: 200, body: days }
  },
} satisfies Partial<Handlers>

function toDay(day: ScheduleDay, isRequested: (slot: Slot) => boolean): Record<string, unknown> {
  if (day.blockout !== null) return { isVenueOpen: false, blockoutMessage: day.blockout, services: [] }
  const services = day.services.map(({ service, slots }) => toService(service, slots.filter(isRequested)))
  return { isVenueOpen: true, services: services.filter((service) => service.times.length > 0) }
}

function toService(service: Service, slots: readonly Slot[]) {
  const sections = SECTIONS.filter((section) => service.sectionIds.includes(section.id))
  return {
    id: service.id,
    name: service.name,
    online: service.online,
    duration: service.duration,
    description: service.description,
    serviceType: service.serviceType,
    policyAgreement: service.policy !== null,
    policyAgreementText: service.policy,
    sections,
    times: slots.map((slot) => ({
      time: `${new Date(slot.starts).toISOString().slice(0, 19)}Z`,
      name: formatClockTime(slot.local),
      expired: slot.expired,
      bookingOptionsCount: slot.expired ? 0 : slot.tables.length,
      sections: sections.map(({ id }) => ({
        id,
        sectionState: !slot.expired && slot.tables.some((table) => table.sectionId === id),
      })),
    })),
    paymentDetails: {
      ...service.payment,
      fee: 0,
      optionsFrom: null,
      optionsTo: null,
      maxPeoplePerBookingOverride: null,
      hasPromotion: false,
      singleMenuPerBooking: false,
    },
  }
}
