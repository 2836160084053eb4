import { toWireTime } from '../base/time/instant.ts'
import { MINUTE_MS } from '../base/time/units.ts'
import type { TimeRange } from '../base/time/window.ts'
import { listBookings } from '../contract/bookings/booking.ts'
import { listCustomers } from '../contract/customers.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { listGiftCards } from '../contract/giftcards.ts'
import { listSales } from '../contract/sales.ts'
import type { ResourceName } from './copy.ts'

/** Query parameters; undefined ones are not sent. */
export type SyncQuery = Readonly<Record<string, string | boolean | undefined>>

/** A resource that can be copied: how it is read, and what identifies its records and versions. */
export interface Resource {
  readonly name: ResourceName
  readonly one: string
  readonly endpoint: Endpoint
  readonly isPaged: boolean
  /** Parameters for what changed in a window; null if there is no such filter: everything is read each time. */
  readonly windowQuery: ((range: TimeRange) => SyncQuery) | null
  readonly query: SyncQuery
  /** Dotted paths whose values make up the ID. The first must be present. */
  readonly idPaths: readonly [string, ...string[]]
  /** The member with the version; null if only the content identifies it. */
  readonly versionMember: string | null
  /** The default overlap of windows, against late writes. Milliseconds. */
  readonly overlapMs: number
}

/** Source: "Other endpoints"; parameters are assumed. */
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
    // Its change date is that of the booking.
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
