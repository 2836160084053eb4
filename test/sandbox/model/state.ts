/** A table as `GET /Bookings/tables` lists it. */
export interface Table {
  readonly id: string
  readonly name: string
  readonly sectionId: string
  readonly sectionName: string
  readonly capacity: number
  readonly minCapacity: number
  readonly online: boolean
  readonly walkinOnly: boolean
}

/**
 * A service as `GET /Bookings/schedule` lists it. For each weekday (0 is Sunday), `minutes` contains the minutes of the
 * day at which the service accepts guests.
 */
export interface Service {
  readonly id: string
  readonly name: string
  readonly serviceType: string
  readonly duration: number
  readonly sectionIds: readonly string[]
  readonly minutes: readonly (readonly number[])[]
}

/** The venue's own data. The specification does not define it, so the model reads it from the sandbox. */
export interface Venue {
  readonly locationId: string
  readonly timezone: string
  readonly statuses: readonly { readonly statusType: string; readonly code: string; readonly name: string }[]
  readonly tables: readonly Table[]
  readonly services: readonly Service[]
}

/** The possible statuses of a gift card. Source: "Gift card status". */
export type CardStatus = 'Active' | 'Cancelled' | 'Redeemed' | 'AwaitingPayment' | 'PendingPostage' | 'Expired'

/** A gift card. Money is in cents, and times are in milliseconds since 1970. */
export interface Card {
  readonly number: string
  status: CardStatus
  remainingCents: number
  readonly issued: number
  readonly expires: number
  /** The email address of the card's holder. Empty if none is known. */
  readonly email: string
  /** The members of the gift card that never change. The model reads them from the sandbox. */
  readonly lasting: Readonly<Record<string, unknown>>
}

/** A customer. `id` is `null` until a response from the service contains it. */
export interface Customer {
  id: string | null
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  email: string | null
  subscribed: boolean
  modified: number
}

/** A booking at the venue. Times are in milliseconds since 1970, and `duration` is in minutes. */
export interface Booking {
  readonly id: string
  readonly externalId: string | null
  readonly method: 'online' | 'walkin'
  readonly bookedAt: number
  modified: number
  starts: number
  /** The local start time of the booking, in the format of `bookingTime`. */
  local: string
  duration: number
  people: number
  serviceId: string | null
  status: string
  tableIds: readonly string[]
  notes: string | null
  /** The customer's index in {@link Model.customers}, or `null` for the walk-in placeholder. */
  customer: number | null
}

/** A sale. `cents` is negative for a refund or void. */
export interface Sale {
  readonly id: string
  received: number
  closed: number
  bookingId: string | null
  cents: number
  taxCents: number
  type: unknown
}

export interface Subscription {
  url: string
  securityKey: string | null
  securityToken: string | null
}

/** The delivery of an event to its subscriber. `due` is `null` if the delivery will not be attempted again. */
export interface Delivery {
  readonly event: string
  readonly subject: string
  readonly created: number
  due: number | null
  readonly attempts: { readonly at: number; readonly status: number | null }[]
}

export interface Arrival {
  readonly path: string
  readonly event: string
  readonly subject: string
  readonly securityKey: string | null
  readonly securityToken: string | null
}

/** The rate limit for each endpoint. Its window never ends during a test. */
export interface Limit {
  readonly count: number
  readonly windowMs: number
  /** The number of requests so far for each endpoint and key. */
  readonly counts: Map<string, number>
}

export interface Model {
  readonly venue: Venue
  /** The venue's time, in milliseconds since 1970. It is frozen and changes only if a step moves the clock. */
  now: number
  limit: Limit | null
  /** Whether `GET /Sales` also lists sales that are not linked to a booking. */
  readonly listsUnlinkedSales: boolean
  cards: Map<string, Card>
  bookings: Booking[]
  customers: Customer[]
  /** All sales, in the order in which their IDs were first used. */
  sales: Sale[]
  subscriptions: Map<string, Subscription>
  deliveries: Delivery[]
  /** The webhooks that the last clock change should have delivered to the receiver. */
  arrivals: Arrival[]
}

export function cloneModel({ venue, ...rest }: Model): Model {
  return { venue, ...structuredClone(rest) }
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
