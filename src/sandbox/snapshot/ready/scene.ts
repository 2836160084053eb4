import type { BookingDocument, NewBooking, PaymentSummary } from '../../records/booking.ts'
import { insertBooking } from '../../records/bookings.ts'
import { NO_ADDRESS, putCustomer, toNationalForm, WALK_IN_CUSTOMER } from '../../records/customers.ts'
import { putSale, sumSale } from '../../records/sales.ts'
import { customerId, FIRST_NUMBER } from '../../seed/numbers.ts'
import type { Diary } from '../../store/diary.ts'
import { DAY, HOUR, MINUTE, readLocal } from '../../venue/time.ts'
import { findService, findStatus, TABLES } from '../../venue/venue.ts'
import { GUESTS } from './guests.ts'

/** A booking of a ready snapshot. */
export interface BookingPlan {
  /** On the venue's clock: `2026-12-18 19:30`. */
  readonly time: string
  readonly people: number
  readonly status: string
  /** The name of its table. */
  readonly table?: string
  /** A place in the list of guests; without it nobody, who is the placeholder of a walk-in. */
  readonly guest?: number
  /** `dinner` for `svc-dinner`; null: none. */
  readonly service?: string | null
  readonly method?: string
  readonly id?: string
  readonly locationId?: string
  /** Minutes; the service's unless given. */
  readonly duration?: number
  /** True for the second of two moments at which the venue's clock shows its time. */
  readonly isSecond?: boolean
  readonly notes?: string
  readonly tags?: BookingDocument['tags']
  readonly items?: BookingDocument['items']
  /** What is asked ahead, and what of it is paid, in currency units. */
  readonly deposit?: { readonly amount: number; readonly paid: number; readonly paymentType?: string }
}

/** A sale of a ready snapshot. */
export interface SalePlan {
  readonly id?: string
  readonly booking?: BookingDocument
  readonly opened: number
  readonly closed: number
  /** When it was received; when it was closed unless given. */
  readonly received?: number
  readonly items: readonly (readonly [name: string, quantity: number, cents: number])[]
  readonly type?: 'SALE' | 'REFUND' | 'VOID'
  /** `CARD` unless given. */
  readonly method?: string
  /** The table of a sale without a booking. */
  readonly table?: string
  /** The sale of which it gives something back. */
  readonly originalSaleId?: string
  readonly discountCents?: number
}

/** Puts guests, bookings and sales into the diary of a ready snapshot, and numbers them as they come. */
export class Scene {
  readonly diary: Diary
  /** The venue's time, milliseconds since 1970. */
  readonly now: number
  readonly #guests = new Set<number>()
  #bookings = FIRST_NUMBER
  #sales = FIRST_NUMBER

  constructor(diary: Diary, now: number) {
    this.diary = diary
    this.now = now
    putCustomer(diary, { ...WALK_IN_CUSTOMER, lastModifiedDate: new Date(now).toISOString() })
  }

  /** The first instant at which the venue's clock shows `2026-12-18 19:30`. */
  at(time: string): number {
    return this.diary.zone.toInstant(this.#local(time))
  }

  book(plan: BookingPlan): BookingDocument {
    const number = this.#bookings++
    const { time, people, method = 'online', guest } = plan
    const serviceName = plan.service === undefined ? 'dinner' : plan.service
    const service = serviceName === null ? null : (findService(`svc-${serviceName}`) ?? null)
    const duration = plan.duration ?? service?.duration ?? 90
    const starts = this.at(time) + (plan.isSecond ? HOUR : 0)
    const lead = method === 'walkin' ? 0 : (2 + (number % 19)) * DAY - (number % 7) * HOUR
    const bookedAt = starts - lead < this.now ? starts - lead : this.now - (1 + (number % 5)) * DAY
    const status = findStatus(plan.status)
    const table = TABLES.find(({ name }) => name === plan.table)
    if (!status || (plan.table !== undefined && !table))
      throw new Error(`${time} has a status or table that is not there`)
    const touched = lastTouch(plan.status, bookedAt, starts, starts + duration * MINUTE)
    const booking: NewBooking = {
      id: plan.id ?? `BK-${number}`,
      locationId: plan.locationId ?? this.diary.venue.id,
      method,
      local: this.#local(time),
      starts,
      bookedAt,
      modified: Math.max(bookedAt, Math.min(this.now, touched)),
      duration,
      people,
      service,
      status,
      tableIds: table ? [table.id] : [],
      customerId: guest === undefined ? WALK_IN_CUSTOMER.id : this.#guest(guest),
      notes: plan.notes ?? null,
      tags: plan.tags ?? [],
      items: plan.items ?? [],
      payment: plan.deposit ? this.#payment(plan.deposit, number, bookedAt) : null,
      untouched: true,
    }
    return insertBooking(this.diary, booking)
  }

  sell({ booking, opened, closed, items, type = 'SALE', ...plan }: SalePlan): void {
    const { currency, name } = this.diary.venue
    const saleId = plan.id ?? `S-${this.#sales++}`
    const price = (amount: number) => ({ amount, currency })
    const cents = items.reduce((sum, [, quantity, each]) => sum + quantity * each, 0) - (plan.discountCents ?? 0)
    const table = booking?.tables[0]?.tableName ?? plan.table
    const sent = {
      origin: { saleId, ...(plan.originalSaleId ? { originalSaleId: plan.originalSaleId } : {}), locationName: name },
      source: { type: 'POS' },
      type,
      openedZonedDateTime: new Date(opened).toISOString(),
      closedZonedDateTime: new Date(closed).toISOString(),
      staff: { id: 'staff-1', name: 'Zoë' },
      register: { id: 'till-1', name: 'Front bar' },
      table: { seats: booking?.people ?? 1, ...(table === undefined ? {} : { number: table }) },
      items: items.map(([dish, quantity, each], at) => ({
        id: `item-${at + 1}`,
        name: dish,
        quantity,
        unitPrice: price(each),
        total: price(each * quantity),
      })),
      payments: [{ method: plan.method ?? 'CARD', goodsAndServicesAmount: price(cents), status: 'PAID' }],
      total: price(cents),
      tax: price(Math.round(cents / 11)),
      discounts: price(plan.discountCents ?? 0),
    }
    const bookingId = booking?.bookingId ?? null
    putSale(this.diary, { saleId, received: plan.received ?? closed, closed, bookingId, cents: sumSale(sent), sent })
  }

  #local(time: string): number {
    const local = readLocal(time)
    if (local === null) throw new Error(`${time} is no time`)
    return local
  }

  #guest(at: number): string {
    const id = customerId(at)
    const guest = GUESTS[at]
    if (this.#guests.has(at) || !guest) return id
    this.#guests.add(at)
    const { first: firstName, last: lastName, phone } = guest
    putCustomer(this.diary, {
      ...WALK_IN_CUSTOMER,
      id,
      firstName,
      lastName,
      email: guest.email ?? null,
      phone,
      phoneNational: phone === null ? null : toNationalForm(phone),
      address: NO_ADDRESS,
      notes: guest.notes ?? null,
      noShowCount: at % 9 === 4 ? 1 : 0,
      subscribed: guest.subscribed ?? true,
      lastModifiedDate: new Date(this.now - (at + 1) * 7 * HOUR).toISOString(),
    })
    return id
  }

  #payment(
    { amount, paid, paymentType = 'card' }: NonNullable<BookingPlan['deposit']>,
    number: number,
    at: number,
  ): PaymentSummary {
    return {
      paymentType,
      amount,
      amountDue: amount - paid,
      amountPaid: paid,
      transactionId: `ch_${number}`,
      currencyCode: this.diary.venue.currency,
      paymentDate: new Date(at).toISOString(),
    }
  }
}

/** When somebody last had to do with a booking. */
function lastTouch(status: string, bookedAt: number, starts: number, ends: number): number {
  switch (status) {
    case 'FINISHED':
      return ends - 5 * MINUTE
    case 'SEATED':
      return starts + 5 * MINUTE
    case 'ARRIVED':
      return starts - 5 * MINUTE
    case 'NOSHOW':
      return starts + 20 * MINUTE
    case 'CANCELLED':
      return starts - 3 * HOUR
    case '6152c0ffee_dessert':
      return ends - 25 * MINUTE
    default:
      return bookedAt
  }
}
