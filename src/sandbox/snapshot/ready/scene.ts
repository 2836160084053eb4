import { type BookingDocument, cardPayment, type NewBooking } from '../../records/booking.ts'
import { insertBooking } from '../../records/bookings.ts'
import { putCustomer, toNationalForm, WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { customerIdAt, FIRST_NUMBER } from '../../seed/numbers.ts'
import { type SalePlan, storeSale } from '../../seed/sales.ts'
import type { Diary } from '../../store/diary.ts'
import { DAY, HOUR, MINUTE, readLocal } from '../../venue/time.ts'
import { findService, findStatus, TABLES, type Venue } from '../../venue/venue.ts'
import { GUESTS } from './guests.ts'

/** A snapshot that is built into partner. It is the same on every machine and on every day. */
export interface ReadySnapshot {
  readonly name: string
  readonly about: string
  /** The venue's time when the snapshot is loaded, in ISO 8601 UTC. */
  readonly clock: string
  /** The venues that are linked to the app. By default, this is only the default venue. */
  readonly venues?: readonly [Venue, ...Venue[]]
  readonly fill: (scene: Scene) => void
}

export interface BookingPlan extends Partial<Pick<NewBooking, 'method' | 'locationId' | 'tags' | 'items'>> {
  /** The start of the booking in the venue's local time, such as `2026-12-18 19:30`. */
  readonly time: string
  readonly people: number
  readonly status: string
  readonly table?: string
  /** The index of a guest in `GUESTS`. By default, the customer is the placeholder for walk-ins. */
  readonly guest?: number
  /** The service ID without its `svc-` prefix, or `null` for a booking without a service. The default is `dinner`. */
  readonly service?: string | null
  /** The duration in minutes. The default is the service's duration, or 90 minutes without a service. */
  readonly duration?: number
  /** Whether `time` is the second occurrence of a local time, in the hour that repeats when clocks go back. */
  readonly isSecond?: boolean
  readonly notes?: string
  /** The prepayment that the venue requested, in cents. */
  readonly deposit?: { readonly due: number; readonly paid: number }
}

/** Adds the guests, bookings and sales of a ready-made snapshot, and numbers them. */
export class Scene {
  readonly diary: Diary
  /** The venue's time, in milliseconds since 1970. */
  readonly now: number
  readonly #guests = new Set<number>()
  #bookings = FIRST_NUMBER
  #sales = FIRST_NUMBER

  constructor(diary: Diary, now: number) {
    this.diary = diary
    this.now = now
    putCustomer(diary, { ...WALK_IN_CUSTOMER, lastModifiedDate: new Date(now).toISOString() })
  }

  /**
   * Returns the instant of a local time such as `2026-12-18 19:30`. If the local time occurs twice, returns the first
   * instant.
   */
  instantAt(time: string): number {
    const local = readLocal(time)
    if (local === null) throw new Error(`${time} is not a local time`)
    return this.diary.zone.toInstant(local)
  }

  book(plan: BookingPlan): BookingDocument {
    const number = this.#bookings++
    const { time, method = 'online', guest } = plan
    const serviceName = plan.service === undefined ? 'dinner' : plan.service
    const service = serviceName === null ? null : (findService(`svc-${serviceName}`) ?? null)
    const duration = plan.duration ?? service?.duration ?? 90
    const starts = this.instantAt(time) + (plan.isSecond ? HOUR : 0)
    const lead = method === 'walkin' ? 0 : (2 + (number % 19)) * DAY - (number % 7) * HOUR
    const bookedAt = starts - lead < this.now ? starts - lead : this.now - (1 + (number % 5)) * DAY
    const status = findStatus(plan.status)
    const table = TABLES.find(({ name }) => name === plan.table)
    if (!status || (plan.table !== undefined && !table))
      throw new Error(`the booking at ${time} has an unknown status or table`)
    const touched = LAST_CHANGE[plan.status]?.(starts, starts + duration * MINUTE) ?? bookedAt
    return insertBooking(this.diary, {
      ...plan,
      id: `BK-${number}`,
      method,
      local: this.diary.zone.toLocal(starts),
      starts,
      bookedAt,
      modified: Math.max(bookedAt, Math.min(this.now, touched)),
      duration,
      service,
      status,
      tableIds: table ? [table.id] : [],
      customerId: guest === undefined ? WALK_IN_CUSTOMER.id : this.#guest(guest),
      notes: plan.notes ?? null,
      payment: plan.deposit
        ? cardPayment(plan.deposit, { venue: this.diary.venue, transactionId: `ch_${number}`, atMs: bookedAt })
        : null,
      untouched: true,
    })
  }

  sell(plan: Omit<SalePlan, 'id'> & { readonly id?: string }): void {
    storeSale(this.diary, { ...plan, id: plan.id ?? `S-${this.#sales++}` })
  }

  #guest(at: number): string {
    const id = customerIdAt(at)
    const guest = GUESTS[at]
    if (this.#guests.has(at) || !guest) return id
    this.#guests.add(at)
    putCustomer(this.diary, {
      ...WALK_IN_CUSTOMER,
      subscribed: true,
      ...guest,
      id,
      phoneNational: guest.phone === null ? null : toNationalForm(guest.phone),
      noShowCount: at % 9 === 4 ? 1 : 0,
      lastModifiedDate: new Date(this.now - (at + 1) * 7 * HOUR).toISOString(),
    })
    return id
  }
}

/**
 * Functions that compute when a booking was last changed, by status. Bookings with other statuses have not been changed
 * since they were created.
 */
const LAST_CHANGE: Readonly<Record<string, (starts: number, ends: number) => number>> = {
  FINISHED: (_starts, ends) => ends - 5 * MINUTE,
  SEATED: (starts) => starts + 5 * MINUTE,
  ARRIVED: (starts) => starts - 5 * MINUTE,
  NOSHOW: (starts) => starts + 20 * MINUTE,
  CANCELLED: (starts) => starts - 3 * HOUR,
  '6152c0ffee_dessert': (_starts, ends) => ends - 25 * MINUTE,
}
