import type { Units } from './units.ts'

/** The kinds of differences, in the order that reports list them. */
export const KINDS = ['missing', 'extra', 'doubled', 'total', 'unlinked', 'booking', 'orphan-refund', 'day'] as const

/**
 * The kind of a difference:
 * - `missing`: the service does not list the sale and is not known to have accepted it.
 * - `extra`: only the service has the sale.
 * - `doubled`: one side has the sale ID more than once.
 * - `total`: the totals differ.
 * - `unlinked`: the service has not linked the sale to a booking.
 * - `booking`: the service has linked the sale to a different booking than the POS.
 * - `orphan-refund`: neither side has the refunded sale, or the refund does not name it.
 * - `day`: the sale closed on different days in the time zone of the venue.
 */
export type Kind = (typeof KINDS)[number]

/** When a sale closed: an instant (epoch milliseconds), a venue-local time (`yyyy-MM-ddTHH:mm:ss`), or only a day. */
export type Closing = { readonly ms: number } | { readonly local: string } | { readonly day: string }

/** A sale in the POS's file. A member is `null` if the file does not contain it. */
export interface PosSale {
  /** The sale's line number in the file, counted from 1. */
  readonly line: number
  readonly saleId: string
  /** The total, which is negative for a refund or a void. */
  readonly total: Units | null
  /** The tax, with the same sign as the total. */
  readonly tax: Units | null
  readonly bookingId: string | null
  /** The table number, which lets the service find the booking. */
  readonly table: string | null
  readonly closed: Closing | null
  readonly type: SaleType | null
  /** The ID of the refunded sale, if this sale is a refund. */
  readonly originalSaleId: string | null
  readonly currency: string | null
  /** The ID of the staff member who served the guests. It is required only for submitting the sale. */
  readonly staffId?: string | null
  /** The number of guests. It is required only for submitting the sale. */
  readonly seats?: number | null
}

export type SaleType = 'SALE' | 'REFUND' | 'VOID'

/** Parses a sale's type, ignoring case. Returns `null` if the text is not a type. */
export function parseSaleType(text: string): SaleType | null {
  const word = text.trim().toUpperCase()
  return word === 'SALE' || word === 'REFUND' || word === 'VOID' ? word : null
}

/**
 * Makes the amount of a refund or void negative, as in the service's list, regardless of the sign that the POS uses.
 */
export function withSign(units: Units, type: SaleType | null): Units {
  const isGivenBack = type === 'REFUND' || type === 'VOID'
  return isGivenBack && units > 0n ? -units : units
}

/** An entry in the service's list of sales. A sale has one entry for each of its bookings. */
export interface ServiceSale {
  readonly saleId: string | null
  readonly bookingId: string | null
  readonly total: Units | null
  readonly totalExTax: Units | null
  readonly tax: Units | null
  /** The closing time in epoch milliseconds, or `null` if the service does not list one. */
  readonly closedMs: number | null
  /**
   * The journal or operation that records the acceptance of a sale that the service does not list. Absent for a listed
   * sale.
   */
  readonly acceptedBy?: string
}

/** Sales that this machine submitted earlier, by ID. The service might not list them. */
export interface KnownSales {
  /** Maps the ID of an accepted sale to the journal or operation that recorded the acceptance. */
  readonly accepted: ReadonlyMap<string, string>
  /**
   * Maps a sale's ID to the reason why the service may have the sale: the outcome is unknown, or the service responded
   * with 409.
   */
  readonly doubtful: ReadonlyMap<string, string>
}

/** The keys of `--map`: the members of a sale that a POS file can contain. */
export const MAP_KEYS = [
  ...(['saleId', 'total', 'tax', 'bookingId', 'closed', 'type'] as const),
  ...(['originalSaleId', 'currency', 'tableNumber', 'staffId', 'seats'] as const),
] as const
export type MapKey = (typeof MAP_KEYS)[number]

/**
 * The sales in a POS file. `keys` contains the keys that the file can have values for: all keys for NDJSON, the mapped
 * ones for CSV.
 */
export type PosFile = { readonly sales: readonly PosSale[]; readonly keys: ReadonlySet<MapKey> }

/** The first and last day to compare, such as `2026-11-20`, in the venue's time zone; a `null` zone means UTC. */
export type Days = { readonly from: string; readonly to: string; readonly timezone: string | null }

/** One difference between the POS's sales and the service's. A side's amount is `null` if that side has none. */
export interface Difference {
  readonly kind: Kind
  /** The sale's ID, or `null` if the service lists the sale without an ID. */
  readonly saleId: string | null
  readonly pos: Units | null
  readonly service: Units | null
  /** This difference's share of the difference between the totals. No amount is counted twice. */
  readonly difference: Units
  readonly detail: string
  readonly next: string
}

/**
 * One row of the statement, with the amounts of one kind of difference. In each column, the rows add up to the `all`
 * row.
 */
export interface StatementRow {
  readonly kind: Kind | 'equal' | 'all'
  readonly count: number
  /** The POS's amount, or `null` for a kind whose amounts are counted in other rows. */
  readonly pos: Units | null
  readonly service: Units | null
  readonly difference: Units
}
