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

/** A service as `GET /Bookings/schedule` lists it, with the minutes of the day at which it takes guests, by weekday (0 is Sunday). */
export interface Service {
  readonly id: string
  readonly name: string
  readonly serviceType: string
  readonly duration: number
  readonly sectionIds: readonly string[]
  readonly minutes: readonly (readonly number[])[]
}

/** What is the venue's own, and so taken as it is found: the specification does not say it. */
export interface Venue {
  readonly locationId: string
  readonly timezone: string
  readonly statuses: readonly { readonly statusType: string; readonly code: string; readonly name: string }[]
  readonly tables: readonly Table[]
  readonly services: readonly Service[]
}

/** The states of a card. Source: "Gift card status". */
export type CardStatus = 'Active' | 'Cancelled' | 'Redeemed' | 'AwaitingPayment' | 'PendingPostage' | 'Expired'

/** A gift card. Money in cents, times in milliseconds since 1970. */
export interface Card {
  readonly number: string
  status: CardStatus
  remainingCents: number
  readonly issued: number
  readonly expires: number
  /** Whom it was issued to; empty when nobody is named. */
  readonly email: string
  /** Its members that never change, as they were found. */
  readonly lasting: Readonly<Record<string, unknown>>
}

/** A customer. `id` is null until the service has told it. */
export interface Customer {
  id: string | null
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  email: string | null
  subscribed: boolean
  modified: number
}

/** A booking of the venue. Times in milliseconds since 1970, `duration` in minutes. */
export interface Booking {
  readonly id: string
  readonly externalId: string | null
  readonly method: 'online' | 'walkin'
  readonly bookedAt: number
  modified: number
  starts: number
  /** As `bookingTime` has it. */
  local: string
  duration: number
  people: number
  serviceId: string | null
  status: string
  tableIds: readonly string[]
  notes: string | null
  /** Its place in {@link Model.customers}; null for the placeholder of walk-ins. */
  customer: number | null
}

/** A sale. `cents` is below 0 for what was given back. */
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

/** An event on its way to its subscriber. `due` null: it is not tried any more. */
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

/** How often each endpoint may be asked in a window that never ends here. */
export interface Limit {
  readonly count: number
  readonly windowMs: number
  /** How often it was asked, by endpoint and key. */
  readonly asked: Map<string, number>
}

export interface Model {
  readonly venue: Venue
  /** The venue's time, which stands still until somebody moves it. Milliseconds since 1970. */
  now: number
  limit: Limit | null
  /** Whether `GET /Sales` lists the sales that are linked to no booking, too. */
  readonly listsUnlinkedSales: boolean
  cards: Map<string, Card>
  bookings: Booking[]
  customers: Customer[]
  /** In the order in which their IDs first came. */
  sales: Sale[]
  subscriptions: Map<string, Subscription>
  deliveries: Delivery[]
  /** What the receiver should get by the last move of the clock. */
  arrivals: Arrival[]
}

export function cloneModel({ venue, ...rest }: Model): Model {
  return { venue, ...structuredClone(rest) }
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
