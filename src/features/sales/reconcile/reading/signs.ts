import type { SaleType } from '../ledger.ts'
import type { Units } from '../units.ts'

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
