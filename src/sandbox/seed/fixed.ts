import type { NewBooking } from '../records/booking.ts'
import type { CustomerDocument } from '../records/customers.ts'
import type { Store } from '../store/store.ts'
import { DAY, dayOf, HOUR, MINUTE } from '../venue/time.ts'
import { closedOn, findService } from '../venue/venue.ts'
import type { Zone } from '../venue/zone.ts'
import type { DrawnBooking } from './diary.ts'
import { chooseStatus, luckOf } from './luck.ts'
import { customerId } from './numbers.ts'

/** The bookings that every new venue has under the same IDs, at every hour of every day. */
export const FIXED_BOOKINGS = {
  /** Dinner for two today, which somebody still expects, has welcomed or has said goodbye to. */
  ordinary: 'BK-1001',
  /** Dinner today, cancelled. */
  cancelled: 'BK-1002',
  /** Guests who sit at their table. */
  seated: 'BK-1003',
  /** Dinner for eight today, with a deposit. */
  large: 'BK-1004',
  /** Lunch some days ago, whose sale is `S-1001`. */
  finished: 'BK-1005',
} as const

/** The first customer, who has booked the first booking. When they last changed, in milliseconds since 1970. */
export function firstCustomer(at: number): CustomerDocument {
  return {
    id: customerId(0),
    firstName: 'Charlotte',
    lastName: 'Taylor',
    company: 'Taylor & Sons',
    email: 'charlotte.taylor@example.com',
    phone: '+61 491 570 156',
    phoneNational: '0491 570 156',
    phone2: null,
    address: {
      line1: '12 Harbour Parade',
      line2: 'Unit 3',
      city: 'Sydney',
      state: 'NSW',
      postalCode: '2000',
      country: 'Australia',
    },
    birthdayDate: 14,
    birthdayMonth: 3,
    birthdayYear: 1986,
    notes: 'Prefers the terrace',
    noShowCount: 0,
    tags: [{ id: 'ctag-vip', identifier: 'vip', name: 'VIP' }],
    subscribed: true,
    lastModifiedDate: new Date(at).toISOString(),
  }
}

/** The fixed bookings as they are at a time, in milliseconds since 1970. On a day on which the house is closed they move to the next. */
export function fixedBookings(now: number, { venue, zone }: Pick<Store, 'venue' | 'zone'>): DrawnBooking[] {
  const local = zone.toLocal(now)
  const plan = (...place: Place) => planBooking(now, zone, place)
  const day = dayOf(local)
  const today = openDay(day, 1)
  const dinner = (at: number) => today * DAY + at
  return [
    plan(FIXED_BOOKINGS.ordinary, 0, dinner(19 * HOUR), 'svc-dinner', 2, 'tbl-t1'),
    plan(FIXED_BOOKINGS.cancelled, 1, dinner(18 * HOUR + 30 * MINUTE), 'svc-dinner', 4, 'tbl-t6'),
    plan(FIXED_BOOKINGS.seated, 2, seatedSince(local, day), 'svc-dinner', 3, 'tbl-t7'),
    {
      ...plan(FIXED_BOOKINGS.large, 3, dinner(20 * HOUR), 'svc-dinner', 8, 'tbl-t9'),
      payment: {
        paymentType: 'card',
        amount: 200,
        amountDue: 0,
        amountPaid: 200,
        transactionId: 'ch_1004',
        currencyCode: venue.currency,
        paymentDate: new Date(now - 2 * DAY).toISOString(),
      },
    },
    plan(FIXED_BOOKINGS.finished, 4, openDay(day - 3, -1) * DAY + 12 * HOUR, 'svc-lunch', 4, 'tbl-t5'),
  ]
}

/** The fixed bookings with the tables that must stay free for them: the first one can always be moved to T4 and T5. */
export function withSpareTables(bookings: readonly NewBooking[]): NewBooking[] {
  return bookings.map((one) =>
    one.id === FIXED_BOOKINGS.ordinary ? { ...one, tableIds: [...one.tableIds, 'tbl-t4', 'tbl-t5'] } : one,
  )
}

/** The nearest day on which the house is open, forwards or back. Days since 1970. */
function openDay(day: number, step: 1 | -1): number {
  return closedOn(day) === null ? day : openDay(day + step, step)
}

/** Half an hour into dinner is soon enough to sit; before that, those who sit are last night's guests whom nobody has signed off. */
function seatedSince(local: number, day: number): number {
  const first = 18 * HOUR
  const since = local - day * DAY >= first + 30 * MINUTE ? openDay(day, -1) : openDay(day - 1, -1)
  return since * DAY + first
}

type Place = readonly [id: string, customer: number, local: number, serviceId: string, people: number, tableId: string]

function planBooking(now: number, zone: Zone, [id, customer, local, serviceId, people, tableId]: Place): DrawnBooking {
  const service = findService(serviceId) ?? null
  const duration = service?.duration ?? 90
  const starts = zone.toInstant(local)
  const ends = starts + duration * MINUTE
  const bookedAt = Math.min(now, starts) - 2 * DAY
  const status = chooseStatus(luckOf({ id, starts, duration, people, customerId: null }), starts, ends, now)
  return {
    id,
    method: 'online',
    local,
    starts,
    bookedAt,
    modified: starts > now ? bookedAt : Math.min(now, ends),
    duration,
    people,
    service,
    status,
    tableIds: [tableId],
    customerId: customerId(customer),
    notes: null,
    untouched: true,
  }
}
