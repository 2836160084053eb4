import type { Units } from './units.ts'

/** The kinds of differences, in the order in which reports list them. */
export const KINDS = ['missing', 'extra', 'doubled', 'total', 'unlinked', 'booking', 'orphan-refund', 'day'] as const

/**
 * `missing`: not at the service, and not known to be accepted. `extra`: only at the service. `doubled`: one side has
 * the ID more than once. `total`: the totals differ. `unlinked`: not linked to a booking at the service. `booking`:
 * linked to a different booking at the POS. `orphan-refund`: a refund whose original sale is missing. `day`: closed on
 * different days in the venue's time zone.
 */
export type Kind = (typeof KINDS)[number]

/** When a sale closed: an instant (epoch milliseconds), a venue-local time (`yyyy-MM-ddTHH:mm:ss`), or only a day. */
export type Closing = { readonly ms: number } | { readonly local: string } | { readonly day: string }

/** A sale in the POS's file. Members are `null` if the file does not contain them. */
export interface PosSale {
  /** The line in the file, counted from 1. */
  readonly line: number
  readonly saleId: string
  /** Negative for a refund or a void. */
  readonly total: Units | null
  /** The tax, with the same sign as the total. */
  readonly tax: Units | null
  readonly bookingId: string | null
  /** The table number, by which the service can find the booking. */
  readonly table: string | null
  readonly closed: Closing | null
  readonly type: SaleType | null
  /** For a refund, the ID of the refunded sale. */
  readonly originalSaleId: string | null
  readonly currency: string | null
  /** The ID of the serving staff member, required only for submitting the sale. */
  readonly staffId?: string | null
  /** The number of guests, required only for submitting the sale. */
  readonly seats?: number | null
}

export type SaleType = 'SALE' | 'REFUND' | 'VOID'

/** Parses the type of a sale, ignoring case. Returns `null` for any other word. */
export function parseSaleType(text: string): SaleType | null {
  const word = text.trim().toUpperCase()
  return word === 'SALE' || word === 'REFUND' || word === 'VOID' ? word : null
}

/** Makes a refund's or void's amount negative, as in the service's list, whichever sign the POS uses. */
export function withSign(units: Units, type: SaleType | null): Units {
  const isGivenBack = type === 'REFUND' || type === 'VOID'
  return isGivenBack && units > 0n ? -units : units
}

/** A sale in the service's list, which has one entry for each booking of a sale. */
export interface ServiceSale {
  readonly saleId: string | null
  readonly bookingId: string | null
  readonly total: Units | null
  readonly totalExTax: Units | null
  readonly tax: Units | null
  /** The closing time in epoch milliseconds; `null` if the service does not list one. */
  readonly closedMs: number | null
  /** The journal or operation that shows that the service accepted an unlisted sale. Absent for a listed sale. */
  readonly acceptedBy?: string
}

/** Sales that this machine submitted earlier and that the service may not list, by ID. */
export interface KnownSales {
  /** The journal or operation that recorded the acceptance. */
  readonly accepted: ReadonlyMap<string, string>
  /** Why the service may have the sale: the outcome is unknown, or the service answered 409. */
  readonly doubtful: ReadonlyMap<string, string>
}

/** The keys of `--map`: the members of a sale that a POS file can contain. */
export const MAP_KEYS = [
  ...(['saleId', 'total', 'tax', 'bookingId', 'closed', 'type'] as const),
  ...(['originalSaleId', 'currency', 'tableNumber', 'staffId', 'seats'] as const),
] as const
export type MapKey = (typeof MAP_KEYS)[number]

/** The sales in a POS file. `keys`: the keys for which the file has values. */
export type PosFile = { readonly sales: readonly PosSale[]; readonly keys: ReadonlySet<MapKey> }

/** The first and last day to compare, such as `2026-11-20`, in the venue's time zone (`null` for UTC). */
export type Days = { readonly from: string; readonly to: string; readonly timezone: string | null }

/** One difference between the books. A side's amount is `null` if that side has none. */
export interface Difference {
  readonly kind: Kind
  /** `null` if the service lists it without an ID. */
  readonly saleId: string | null
  readonly pos: Units | null
  readonly service: Units | null
  /** This difference's share of the difference between the totals. No amount counts in two differences. */
  readonly difference: Units
  readonly detail: string
  readonly next: string
}

/** One row of the statement: the amounts of one kind. The rows of each column add up to the row `all`. */
export interface StatementRow {
  readonly kind: Kind | 'equal' | 'all'
  readonly count: number
  /** `null` for a kind whose amounts are counted in other rows. */
  readonly pos: Units | null
  readonly service: Units | null
  readonly difference: Units
}
