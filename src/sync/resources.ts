import { toWireTime } from '../base/time/instant.ts'
import { MINUTE_MS } from '../base/time/units.ts'
import type { TimeRange } from '../base/time/window.ts'
import { listBookings } from '../contract/bookings/booking.ts'
import { listCustomers } from '../contract/customers.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { listGiftCards } from '../contract/giftcards.ts'
import { listSales } from '../contract/sales.ts'
import type { ResourceName } from './copy.ts'

/** Query parameters. Undefined values are not sent. */
export type SyncQuery = Readonly<Record<string, string | boolean | undefined>>

/** A resource that can be copied. Describes how to read it and how to identify its records and their versions. */
export interface Resource {
  readonly name: ResourceName
  readonly one: string
  readonly endpoint: Endpoint
  readonly isPaged: boolean
  /**
   * Returns the parameters that select the changes in a window. If the service cannot select changes, this is `null`,
   * and each run reads everything.
   */
  readonly windowQuery: ((range: TimeRange) => SyncQuery) | null
  readonly query: SyncQuery
  /** The dotted paths of the values that make up the ID. The first value must be present. */
  readonly idPaths: readonly [string, ...string[]]
  /** The member that contains the version, or `null` if only the content identifies a record's version. */
  readonly versionMember: string | null
  /** How far, in milliseconds, windows overlap by default. The overlap catches late writes. */
  readonly overlapMs: number
}

/** The resources that can be copied. Source: "Other endpoints". The parameters are an assumption. */
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
    // A sale's change date is that of its booking, so it does not identify a version of the sale.
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
