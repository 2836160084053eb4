import type { Units } from './units.ts'

/** The kinds of differences, in the order of the report. */
export const KINDS = ['missing', 'extra', 'doubled', 'total', 'unlinked', 'booking', 'orphan-refund', 'day'] as const

/**
 * `missing`: not at the service, and not known to be accepted. `extra`: only at the service. `doubled`: its ID is more
 * than once on a side. `unlinked`: on no booking at the service. `booking`: on another booking than the POS says.
 * `orphan-refund`: a refund without its original sale. `day`: closed on another day of the venue.
 */
export type Kind = (typeof KINDS)[number]

/** An instant (epoch milliseconds), a time on the venue's clock (`yyyy-MM-ddTHH:mm:ss`), or only a day. */
export type Closing = { readonly ms: number } | { readonly local: string } | { readonly day: string }

/** A sale as the POS has it. `null` if the file does not say. */
export interface PosSale {
  /** From 1. */
  readonly line: number
  readonly saleId: string
  /** Below 0 for a refund or a void. */
  readonly total: Units | null
  /** With the sign of the total. */
  readonly tax: Units | null
  readonly bookingId: string | null
  /** Names the table instead of the booking. */
  readonly table: string | null
  readonly closed: Closing | null
  readonly type: SaleType | null
  /** The sale that a refund gives back. */
  readonly originalSaleId: string | null
  readonly currency: string | null
  /** Who served, only needed to submit the sale. */
  readonly staffId?: string | null
  /** Number of guests, only needed to submit the sale. */
  readonly seats?: number | null
}

export type SaleType = 'SALE' | 'REFUND' | 'VOID'

/** The type of a sale, in any case; null for any other word. */
export function saleTypeOf(text: string): SaleType | null {
  const word = text.trim().toUpperCase()
  return word === 'SALE' || word === 'REFUND' || word === 'VOID' ? word : null
}

/** Makes a refund or void negative, as the service lists it, whichever sign the POS writes. */
export function withSign(units: Units, type: SaleType | null): Units {
  const isGivenBack = type === 'REFUND' || type === 'VOID'
  return isGivenBack && units > 0n ? -units : units
}

/** A sale as the service lists it, with one of its bookings. */
export interface ServiceSale {
  readonly saleId: string | null
  readonly bookingId: string | null
  readonly total: Units | null
  readonly totalExTax: Units | null
  readonly tax: Units | null
  /** Epoch milliseconds; null if it does not say. */
  readonly closedMs: number | null
  /** The evidence that the service accepted it without listing it; absent for a listed sale. */
  readonly acceptedBy?: string
}

/** Earlier writes that the service may not list, by sale ID. The values say how they are known. */
export interface KnownSales {
  readonly accepted: ReadonlyMap<string, string>
  /** Sales that the service may have: the outcome is unknown, or it answered 409. */
  readonly doubtful: ReadonlyMap<string, string>
}

/** The members of a sale that a POS file can contain, as named in `--map`. */
export const MAP_KEYS = [
  ...(['saleId', 'total', 'tax', 'bookingId', 'closed', 'type'] as const),
  ...(['originalSaleId', 'currency', 'tableNumber', 'staffId', 'seats'] as const),
] as const
export type MapKey = (typeof MAP_KEYS)[number]

/** The sales of a file. `says`: the keys that the file contains. */
export type PosFile = { readonly sales: readonly PosSale[]; readonly says: ReadonlySet<MapKey> }

/** The days of the venue to compare, both included: `2026-11-20`. `timezone` is null for UTC. */
export type Days = { readonly from: string; readonly to: string; readonly timezone: string | null }

/** One difference between the books. Amounts are null where that side has none. */
export interface Difference {
  readonly kind: Kind
  /** `null` if the service lists it without an ID. */
  readonly saleId: string | null
  readonly pos: Units | null
  readonly service: Units | null
  /** Its part of the difference of the totals: the money of a sale counts once. */
  readonly difference: Units
  readonly detail: string
  readonly next: string
}

/** One line of the statement: the amounts of one kind. Each column adds up. */
export interface StatementRow {
  readonly kind: Kind | 'equal' | 'all'
  readonly count: number
  /** `null` for a kind whose money counts elsewhere. */
  readonly pos: Units | null
  readonly service: Units | null
  readonly difference: Units
}
