import type { LocalMs } from '../venue/time.ts'
import type { Service, Status, Venue } from '../venue/venue.ts'

type Texts = 'bookingId' | 'locationId' | 'method' | 'bookedAt' | 'bookingTime' | 'lastModifiedDate'
type OptionalTexts = 'serviceId' | 'serviceName' | 'serviceType' | 'notes'
type Numbers = 'duration' | 'people'

/**
 * A booking as it is stored and returned, but without its customer. Source: "Booking (response of GET /Bookings/{id})".
 */
export interface BookingDocument
  extends Readonly<Record<Texts, string> & Record<OptionalTexts, string | null> & Record<Numbers, number>> {
  readonly tables: readonly BookedTable[]
  readonly tags: readonly { readonly tagType: string; readonly name: string }[]
  readonly status: Status
  readonly paymentSummary: PaymentSummary
  readonly items: readonly OrderItem[]
}

export type BookedTable = Readonly<Record<'tableId' | 'tableName' | 'sectionId' | 'sectionName', string>>

/** A booking's prepayment, with amounts in currency units. Source: "Supporting objects". */
export type PaymentSummary = Readonly<
  Record<'paymentType' | 'transactionId' | 'currencyCode' | 'paymentDate', string | null> &
    Record<'amount' | 'amountDue' | 'amountPaid', number>
>

/** The payment summary of a booking without a prepayment. Its amounts are 0 instead of `null`. */
export const NO_PAYMENT: PaymentSummary = {
  paymentType: null,
  amount: 0,
  amountDue: 0,
  amountPaid: 0,
  transactionId: null,
  currencyCode: null,
  paymentDate: null,
}

/** Creates the payment summary of a prepayment by card. `atMs` is in milliseconds since 1970. */
export function cardPayment(
  cents: { readonly due: number; readonly paid: number },
  { venue, transactionId, atMs }: { readonly venue: Venue; readonly transactionId: string; readonly atMs: number },
): PaymentSummary {
  return {
    paymentType: 'card',
    amount: (cents.due + cents.paid) / 100,
    amountDue: cents.due / 100,
    amountPaid: cents.paid / 100,
    transactionId,
    currencyCode: venue.currency,
    paymentDate: new Date(atMs).toISOString(),
  }
}

/** An item that guests ordered in advance. `price` is in currency units. Source: "Supporting objects". */
export interface OrderItem {
  readonly name: string
  readonly label: string | null
  readonly paymentType: string
  readonly price: number
  readonly quantity: number
  readonly extras: readonly Omit<OrderItem, 'extras'>[] | null
}

/**
 * The data for a new booking. `bookedAt` and `modified` are in milliseconds since 1970, and `duration` is in minutes.
 */
export interface NewBooking extends Readonly<Record<'bookedAt' | 'modified' | 'duration' | 'people', number>> {
  readonly id?: string
  readonly locationId?: string
  readonly method: string
  readonly local: LocalMs
  /** The start, in milliseconds since 1970. The default is the first instant at which the local time is `local`. */
  readonly starts?: number
  readonly service: Service | null
  readonly status: Status
  readonly tableIds: readonly string[]
  readonly customerId: string | null
  readonly notes: string | null
  readonly tags?: BookingDocument['tags']
  readonly payment?: PaymentSummary | null
  readonly items?: readonly OrderItem[]
  readonly externalId?: string | null
  /** Members that a partner sent but that are not part of a booking. They are stored, but never returned. */
  readonly details?: unknown
  /** Whether the sandbox updates the status as time passes. False once a user has changed the booking. */
  readonly untouched?: boolean
}

/** Changes to a booking. `duration` is in minutes. */
export interface BookingChange {
  readonly time?: { readonly local: LocalMs; readonly starts: number }
  readonly duration?: number
  readonly people?: number
  readonly service?: Service
  readonly status?: string
  readonly tableIds?: readonly string[]
  readonly notes?: string
  readonly customerId?: string
  readonly payment?: PaymentSummary
}
