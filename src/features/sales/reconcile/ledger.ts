import type { Units } from './units.ts'

/** In what a day's closings and the service's sales can differ, in the order in which it is told. */
export const KINDS = ['missing', 'extra', 'doubled', 'total', 'unlinked', 'booking', 'orphan-refund', 'day'] as const

/**
 * `missing`: the service does not list it, and it is not known to be accepted. `extra`: only the service has it. `doubled`: its ID stands more than once on a side. `total`: the
 * totals differ. `unlinked`: the service has it on no booking. `booking`: on another one than the POS says. `orphan-refund`: a refund
 * without the sale that it gives back. `day`: closed on another day of the venue.
 */
export type Kind = (typeof KINDS)[number]

/** When a sale was closed: an instant (epoch milliseconds), a time on the venue's clock (`yyyy-MM-ddTHH:mm:ss`), or a day alone. */
export type Closing = { readonly ms: number } | { readonly local: string } | { readonly day: string }

/** A sale as the POS has it. */
export interface PosSale {
  /** Where it stands in the file, from 1. */
  readonly line: number
  readonly saleId: string
  /** Below 0 for a refund or a void; null: the file does not say. */
  readonly total: Units | null
  /** With the sign of the total; null: the file does not say. */
  readonly tax: Units | null
  /** Null: it names none. */
  readonly bookingId: string | null
  /** The table that it names in place of a booking; null: none. */
  readonly table: string | null
  readonly closed: Closing | null
  /** Null: the file does not say. */
  readonly type: SaleType | null
  /** The sale that a refund gives back; null: it names none. */
  readonly originalSaleId: string | null
  readonly currency: string | null
  /** Who served, for a sale that is to be submitted; absent or null: the file does not say. */
  readonly staffId?: string | null
  /** Number of guests, for the same; absent or null: the file does not say. */
  readonly seats?: number | null
}

export type SaleType = 'SALE' | 'REFUND' | 'VOID'

/** The type of a sale, in whatever case it is written; null for any other word. */
export function saleTypeOf(text: string): SaleType | null {
  const word = text.trim().toUpperCase()
  return word === 'SALE' || word === 'REFUND' || word === 'VOID' ? word : null
}

/** An amount with the sign that the service lists it with: what was given back is below 0, whichever way the POS writes it. */
export function withSign(units: Units, type: SaleType | null): Units {
  const isGivenBack = type === 'REFUND' || type === 'VOID'
  return isGivenBack && units > 0n ? -units : units
}

/** A sale as the service lists it, with one of the bookings that it is linked to. */
export interface ServiceSale {
  readonly saleId: string | null
  readonly bookingId: string | null
  readonly total: Units | null
  readonly totalExTax: Units | null
  readonly tax: Units | null
  /** Epoch milliseconds; null: it does not say. */
  readonly closedMs: number | null
  /** How it is known that the service accepted it although it does not list it; absent for a listed sale. */
  readonly acceptedBy?: string
}

/** What earlier writes say about sales that the service may not list. Values say how it is known. */
export interface KnownSales {
  /** Sales that the service accepted, by ID. */
  readonly accepted: ReadonlyMap<string, string>
  /** Sales that the service may have, by ID: the outcome is unknown, or it answered 409. */
  readonly doubtful: ReadonlyMap<string, string>
}

/** What a file of the POS can say of a sale: the names that `--map` gives to columns. */
export const MAP_KEYS = [
  ...(['saleId', 'total', 'tax', 'bookingId', 'closed', 'type'] as const),
  ...(['originalSaleId', 'currency', 'tableNumber', 'staffId', 'seats'] as const),
] as const
export type MapKey = (typeof MAP_KEYS)[number]

/** The sales of a file, and what that file can say of one. */
export interface PosFile {
  readonly sales: readonly PosSale[]
  readonly says: ReadonlySet<MapKey>
}

/** Which days of the venue are compared, both ends included: `2026-11-20`. */
export interface Days {
  readonly from: string
  readonly to: string
  /** Null: UTC. */
  readonly timezone: string | null
}

/** One thing in which the books differ. Amounts are null where that side has none. */
export interface Difference {
  readonly kind: Kind
  /** Null: the service lists it without one. */
  readonly saleId: string | null
  readonly pos: Units | null
  readonly service: Units | null
  /** What it adds to the difference of the totals: the money of a sale counts once. */
  readonly difference: Units
  /** What is so, in words. */
  readonly detail: string
  /** What to do about it, in words. */
  readonly next: string
}

/** A line of the statement: what the two sides have of one kind, which adds up in each column. */
export interface StatementRow {
  readonly kind: Kind | 'equal' | 'all'
  readonly count: number
  /** Null for a kind whose money counts elsewhere. */
  readonly pos: Units | null
  readonly service: Units | null
  readonly difference: Units
}

/** How two ledgers compare. */
export interface Report {
  readonly differences: readonly Difference[]
  readonly totals: {
    readonly pos: Units
    readonly service: Units
    readonly difference: Units
    readonly byKind: Readonly<Record<Kind, Units>>
  }
  readonly statement: readonly StatementRow[]
  /** The sales of the file that the service does not list, each once, but for those whose lines differ from each other. */
  readonly missing: readonly PosSale[]
  /** IDs that are missing, and stand in lines that differ: nobody knows which of them counts. */
  readonly undecided: readonly string[]
  readonly counts: {
    /** Sales that have no total in the file: they count on neither side. */
    readonly withoutTotal: number
    /** Sales that the service links to no booking, and for which the file names none. */
    readonly unlinkedAnyway: number
    /** Sales only at the service that have no closing time, so that nobody knows their day. */
    readonly undated: number
    /** Sales of the file that were closed on other days. */
    readonly otherDays: number
  }
}
