import { cardPayment, type NewBooking } from '../records/booking.ts'
import type { CustomerDocument } from '../records/customers.ts'
import type { Store } from '../store/store.ts'
import { DAY, dayOf, HOUR, MINUTE } from '../venue/time.ts'
import { findClosureReason, findService } from '../venue/venue.ts'
import type { Zone } from '../venue/zone.ts'
import type { DrawnBooking } from './diary.ts'
import { chooseStatus, luckOf } from './luck.ts'
import { customerIdAt } from './numbers.ts'

/** The IDs of the bookings that every new venue has, regardless of when it is created. */
export const FIXED_BOOKINGS = {
  /** The ID of a confirmed dinner for two today. */
  ordinary: 'BK-1001',
  /** The ID of a cancelled dinner today. */
  cancelled: 'BK-1002',
  /** The ID of a dinner last night, whose guests are still marked as seated. */
  seated: 'BK-1003',
  /** The ID of a dinner for eight today, with a deposit. */
  large: 'BK-1004',
  /** The ID of a lunch a few days ago. Its sale is `S-1001`. */
  finished: 'BK-1005',
} as const

const STREET = { line1: '12 Harbour Parade', line2: 'Unit 3' }
const HARBOUR_PARADE = { ...STREET, city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'Australia' }

/**
 * Returns the customer of the first fixed booking. `at` is when the customer was last changed, in milliseconds since
 * 1970.
 */
export function firstCustomer(at: number): CustomerDocument {
  return {
    id: customerIdAt(0),
    firstName: 'Charlotte',
    lastName: 'Taylor',
    company: 'Taylor & Sons',
    email: 'charlotte.taylor@example.com',
    phone: '+61 491 570 156',
    phoneNational: '0491 570 156',
    phone2: null,
    address: HARBOUR_PARADE,
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

/**
 * Returns the bookings that every new venue has. They depend only on the date of `now`. If the venue is closed on that
 * date, they are on the next open day.
 */
export function fixedBookings(now: number, { venue, zone }: Pick<Store, 'venue' | 'zone'>): DrawnBooking[] {
  const day = dayOf(zone.toLocal(now))
  const dawn = startOfDayAt(now, zone)
  const plan = (...args: PlanArguments) => planBooking(dawn, zone, args)
  const dinner = (at: number) => findOpenDay(day, 1) * DAY + at
  return [
    plan(FIXED_BOOKINGS.ordinary, 0, dinner(19 * HOUR), 'svc-dinner', 2, 'tbl-t1'),
    plan(FIXED_BOOKINGS.cancelled, 1, dinner(18 * HOUR + 30 * MINUTE), 'svc-dinner', 4, 'tbl-t6'),
    plan(FIXED_BOOKINGS.seated, 2, findOpenDay(day - 1, -1) * DAY + 18 * HOUR, 'svc-dinner', 3, 'tbl-t7'),
    {
      ...plan(FIXED_BOOKINGS.large, 3, dinner(20 * HOUR), 'svc-dinner', 8, 'tbl-t9'),
      payment: cardPayment({ due: 0, paid: 20_000 }, { venue, transactionId: 'ch_1004', atMs: dawn - 2 * DAY }),
    },
    plan(FIXED_BOOKINGS.finished, 4, findOpenDay(day - 3, -1) * DAY + 12 * HOUR, 'svc-lunch', 4, 'tbl-t5'),
  ]
}

/**
 * Returns the time from which a booking's status is derived: the start of the day for the fixed bookings that every new
 * venue has, and `now` for all others.
 */
export function statusTime(id: string, now: number, zone: Zone): number {
  return FIXED_IDS.has(id) ? startOfDayAt(now, zone) : now
}

const FIXED_IDS: ReadonlySet<string> = new Set(Object.values(FIXED_BOOKINGS))

function startOfDayAt(now: number, zone: Zone): number {
  return zone.toInstant(dayOf(zone.toLocal(now)) * DAY)
}

/**
 * Returns the fixed bookings that hold tables on a day. The seated booking holds its table for all of today. The
 * ordinary booking also holds tables T4 and T5, so that it can be moved there.
 */
export function heldTables(bookings: readonly NewBooking[], day: number, today: number): NewBooking[] {
  return bookings.flatMap((one) => {
    if (one.id === FIXED_BOOKINGS.seated && day === today) return [{ ...one, local: day * DAY, duration: DAY / MINUTE }]
    if (dayOf(one.local) !== day) return []
    return one.id === FIXED_BOOKINGS.ordinary ? [{ ...one, tableIds: [...one.tableIds, 'tbl-t4', 'tbl-t5'] }] : [one]
  })
}

function findOpenDay(day: number, step: 1 | -1): number {
  return findClosureReason(day) === null ? day : findOpenDay(day + step, step)
}

type PlanArguments = readonly [
  id: string,
  customer: number,
  local: number,
  serviceId: string,
  people: number,
  tableId: string,
]

function planBooking(
  now: number,
  zone: Zone,
  [id, customer, local, serviceId, people, tableId]: PlanArguments,
): DrawnBooking {
  const service = findService(serviceId) ?? null
  const duration = service?.duration ?? 90
  const starts = zone.toInstant(local)
  const ends = starts + duration * MINUTE
  const bookedAt = Math.min(now, starts) - 2 * DAY
  const status = chooseStatus(luckOf({ id, starts, duration, people, customerId: null }), starts, ends, now)
  const modified = starts > now ? bookedAt : Math.min(now, ends)
  const times = { local, starts, bookedAt, modified, duration }
  const party = { people, tableIds: [tableId], customerId: customerIdAt(customer), notes: null }
  return { id, method: 'online', ...times, ...party, service, status, untouched: true }
}
