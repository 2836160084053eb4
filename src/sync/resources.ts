import { toWireTime } from '../base/time/instant.ts'
import { MINUTE_MS } from '../base/time/units.ts'
import type { TimeRange } from '../base/time/window.ts'
import { listBookings } from '../contract/bookings/booking.ts'
import { listCustomers } from '../contract/customers.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { listGiftCards } from '../contract/giftcards.ts'
import { listSales } from '../contract/sales.ts'
import type { ResourceName } from './copy.ts'

/** The parameters of a request; undefined ones are not sent. */
export type SyncQuery = Readonly<Record<string, string | boolean | undefined>>

/** What a copy can be kept of: where it is read, by which time, and what tells its records and their versions apart. */
export interface Resource {
  readonly name: ResourceName
  readonly one: string
  readonly endpoint: Endpoint
  readonly isPaged: boolean
  /** The parameters that ask for what changed in a span of time; null: there is no such filter, and everything is read each time. */
  readonly windowQuery: ((range: TimeRange) => SyncQuery) | null
  readonly query: SyncQuery
  /** Dotted paths of the members that together are a record's ID. The first must be there. */
  readonly idPaths: readonly [string, ...string[]]
  /** The member that names a version of a record; null: its content alone does. */
  readonly versionMember: string | null
  /** How far windows overlap unless the command line says, against late writes. Milliseconds. */
  readonly overlapMs: number
}

/** Every resource of which a copy can be kept. Source: "Other endpoints"; parameters are assumed. */
export const RESOURCES: Readonly<Record<ResourceName, Resource>> = {
  bookings: {
    name: 'bookings',
    one: 'booking',
    endpoint: listBookings,
    isPaged: false,
    windowQuery: ({ fromMs, toMs }) => ({ UpdatedFromDate: toWireTime(fromMs), UpdatedToDate: toWireTime(toMs) }),
    query: {},
    idPaths: ['bookingId'],
    versionMember: 'lastModifiedDate',
    overlapMs: 5 * MINUTE_MS,
  },
  customers: {
    name: 'customers',
    one: 'customer',
    endpoint: listCustomers,
    isPaged: true,
    windowQuery: ({ fromMs, toMs }) => ({ DateUpdatedStart: toWireTime(fromMs), DateUpdatedEnd: toWireTime(toMs) }),
    query: { Sort: 'asc' },
    idPaths: ['id'],
    versionMember: 'lastModifiedDate',
    overlapMs: 5 * MINUTE_MS,
  },
  sales: {
    name: 'sales',
    one: 'sale',
    endpoint: listSales,
    isPaged: true,
    windowQuery: ({ fromMs, toMs }) => ({ StartDate: toWireTime(fromMs), EndDate: toWireTime(toMs) }),
    query: {},
    // The date of its change is that of the booking.
    idPaths: ['saleDetail.transactionId', 'bookingId'],
    versionMember: null,
    overlapMs: 24 * 60 * MINUTE_MS,
  },
  giftcards: {
    name: 'giftcards',
    one: 'gift card',
    endpoint: listGiftCards,
    isPaged: true,
    windowQuery: null,
    query: { IncludeCancelled: true, IncludeRedeemed: true, IncludeExpired: true },
    idPaths: ['cardNumber'],
    versionMember: null,
    overlapMs: 0,
  },
}
